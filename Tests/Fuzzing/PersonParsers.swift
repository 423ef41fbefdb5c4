import Foundation
import SeraiJSON

@testable import SeraiIdentity

extension Parser {
    /// What identity reads of a person, as typed or as a provider of identities tells it.
    static let people = Parser(name: "people", maximumBytes: 16_384) { bytes in
        let text = text(bytes)
        for lines in [false, true] {
            // try?: most texts are refused.
            guard let shown = try? ShowableText(text, maximum: 100, lines: lines) else { continue }
            try require((1...100).contains(shown.text.count), "a text of \(shown.text.count)")
            try require(try ShowableText(shown.text, maximum: 100, lines: lines) == shown, "twice another text")
        }
        // try?: most texts are no names.
        if let name = try? PersonName(text) { try require(try PersonName(name.text) == name, "twice another name") }
        if let mail = EmailAddress(text) {
            try require(EmailAddress(mail.normalized)?.normalized == mail.normalized, "twice not \(mail.normalized)")
        }
        if let day = CalendarDate(text) { try require(day.text == text, "\(text) is \(day.text)") }
        if let id = NationalID(text) { try require(NationalID(id.text) == id, "\(id.text) is another number") }
        if let secret = Base32.decode(text) {
            try require(Base32.decode(Base32.encode(secret)) == secret, "base 32 of \(text)")
        }
        if let key = APIKey(text) { try require(key.hash.count == 32, "a hash of \(key.hash.count)") }
    }

    /// What a provider of identities answers: its documents, keys and tokens.
    static let identities = Parser(name: "identities") { bytes in
        let text = text(bytes)
        // try?: most texts are no tokens.
        if let token = try? IDToken(text) {
            try require(text.utf8.count <= IDToken.maximumBytes, "a token of \(text.utf8.count): \(token.keyID)")
        }
        guard let json = try? JSONValue(parsing: bytes) else { return }
        _ = IDTokenKeys(json)
        let issuer = "https://nafath.example"
        if let document = try? IssuerDocument(json, issuer: issuer) {
            for endpoint in [document.authorizationEndpoint, document.tokenEndpoint, document.keysEndpoint] {
                try require(endpoint.hasPrefix("https:"), "\(endpoint) is without TLS")
            }
        }
        let claims = NafathClaims(json, OpenIDSettings.ClaimNames())
        if let person = try? claims.person() {
            try require(person.mobile.text.hasPrefix("+") && !person.name.text.isEmpty, "\(person)")
        }
    }
}
