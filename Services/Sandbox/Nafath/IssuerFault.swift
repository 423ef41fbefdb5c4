/// A fault of the test issuer, so that tests can show that clients detect it.
enum IssuerFault: String, Codable, Sendable, CaseIterable {
    // Faults of the ID token
    case wrongNonce, wrongIssuer, wrongAudience, foreignParty, wrongSignature, expired, notYetValid
    case noAlgorithm, symmetric, critical, unknownKey, hugeToken, repeatedClaim, noToken
    // Faults of the answers
    case down, hugeAnswer, redirect, noJSON, wrongClient
    // Faults of the discovery document
    case otherIssuer
    /// Claims are only in the answer of the user info endpoint.
    case fewClaims
    /// Like ``fewClaims``, but for another subject.
    case otherSubject
}
