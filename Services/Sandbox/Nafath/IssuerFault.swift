/// What the test issuer does wrong, so that others can show that they refuse it.
enum IssuerFault: String, Codable, Sendable, CaseIterable {
    // The ID token
    case wrongNonce, wrongIssuer, wrongAudience, foreignParty, wrongSignature, expired, notYetValid
    case noAlgorithm, symmetric, critical, unknownKey, hugeToken, repeatedClaim, noToken
    // The answers
    case down, hugeAnswer, redirect, noJSON, wrongClient
    // The document
    case otherIssuer
    /// Claims are told by the user info endpoint alone.
    case fewClaims
    /// As before, and of somebody else.
    case otherSubject
}
