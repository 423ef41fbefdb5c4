import Crypto
import Foundation

/// An ID token of the test issuer, valid or with a fault.
struct TestIDToken {
    let issuer: TestIssuer
    /// The issuer's own URL.
    let url: String

    func make(_ grant: TestIssuer.Grant, fault: IssuerFault?) throws -> String {
        let now = issuer.now.timeIntervalSince1970.rounded(.down)
        var claims = Self.claims(of: grant.person, all: fault != .fewClaims && fault != .otherSubject)
        claims["iss"] = fault == .wrongIssuer ? "https://elsewhere.example" : url
        claims["aud"] = fault == .wrongAudience ? "another" : issuer.client.id
        if fault == .foreignParty {
            claims["aud"] = [issuer.client.id, "another"]
            claims["azp"] = "another"
        }
        claims["iat"] = fault == .notYetValid ? now + 3_600 : now
        claims["exp"] = fault == .expired ? now - 3_600 : now + 7_200
        claims["nonce"] = fault == .wrongNonce ? "another" : grant.request.nonce
        if fault == .hugeToken { claims["padding"] = String(repeating: "x", count: 40_000) }
        var body = String(decoding: try JSONSerialization.data(withJSONObject: claims), as: UTF8.self)
        // The same name twice: two parsers could read two different people.
        if fault == .repeatedClaim { body = body.dropLast() + #","sub":"somebody"}"# }
        return try sign(Data(body.utf8), fault)
    }

    /// The issuer's claims about a person. - Parameter all: false for the subject only.
    static func claims(of person: TestPerson, all: Bool) -> [String: Any] {
        var claims: [String: Any] = ["sub": "sandbox-\(person.nationalID)"]
        guard all else { return claims }
        claims["national_id"] = person.nationalID
        claims["given_name"] = person.firstName
        claims["family_name"] = person.lastName
        claims["phone_number"] = person.mobile
        claims["gender"] = person.gender
        claims["job_title"] = person.jobTitle
        return claims
    }

    private func sign(_ body: Data, _ fault: IssuerFault?) throws -> String {
        // There is always a key.
        guard let key = issuer.keys.last else { return "" }
        var head: [String: Any] = [
            "typ": "JWT", "alg": "ES256", "kid": fault == .unknownKey ? UUID().uuidString : key.id,
        ]
        if fault == .noAlgorithm { head["alg"] = "none" }
        if fault == .symmetric { head["alg"] = "HS256" }
        if fault == .critical { head["crit"] = ["x"] }
        let text = [try JSONSerialization.data(withJSONObject: head), body].map(TestIssuer.base64URL)
            .joined(separator: ".")
        let message = Data(text.utf8)
        let signature: Data
        switch fault {
        case .noAlgorithm: signature = Data()
        case .symmetric:
            // Uses the public key as the secret, which everybody knows.
            let secret = SymmetricKey(data: key.privateKey.publicKey.x963Representation)
            signature = Data(HMAC<SHA256>.authenticationCode(for: message, using: secret))
        case .wrongSignature: signature = try P256.Signing.PrivateKey().signature(for: message).rawRepresentation
        default: signature = try key.privateKey.signature(for: message).rawRepresentation
        }
        return text + "." + TestIssuer.base64URL(signature)
    }
}
