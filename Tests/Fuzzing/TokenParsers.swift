import Foundation
import SeraiJSON

@testable import SeraiNotifications
@testable import ServiceKit

extension Parser {
    static let tokens = [keys, identities, links]

    /// Sets of keys and signed claims.
    static let keys = Parser(name: "keys") { bytes in
        // try?: most texts are none.
        if let keys = try? TokenKeySet(json: bytes) {
            try require(!keys.keyIDs.isEmpty, "a set without keys")
            try require(SignatureKey.algorithms.isSuperset(of: keys.algorithms), "\(keys.algorithms)")
        }
        guard let json = try? JSONValue(parsing: bytes) else { return }
        if let key = try? SignatureKey(jwk: json) {
            try require(!key.isValid(Data(bytes), for: Data(bytes)), "anything is a signature")
        }
        _ = AccessTokenClaims(json: json)
    }

    /// Signed links, sealed texts and the other texts that clients send back, none of which is one of ours.
    static let links = Parser(name: "links", maximumBytes: 8_192) { bytes in
        let text = text(bytes)
        let secret = Redacted("a secret of the fuzzer, 32 characters")
        let unsubscribing = MailUnsubscribing(publicURL: nil, secret: secret)
        try require(unsubscribing.read(text) == nil, "\(text) is not signed by us")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count >= 2, let id = UUID(uuidString: String(parts[0])),
            let kind = NoticeKind(rawValue: String(parts[1]))
        {
            let read = unsubscribing.read(unsubscribing.token(id, kind))
            try require(read?.account == id && read?.kind == kind, "what is signed is not read")
        }
        if (try? DeliverySeal(secret: secret).open(text, delivery: UUID())) != nil { throw Broken("it is sealed") }
        if let number = StreamStart.number(text) {
            try require(number >= 0 && text.utf8.count <= 18, "the number \(number)")
            for last in [0, number, .max - 1] {
                let start = StreamStart(wanted: number, last: last, oldestKept: nil)
                try require(start.after >= 0 && start.after <= max(last, number), "\(start)")
            }
        }
        if let minute = QuietHours.minute(text) {
            try require(QuietHours.text(minute) == text, "\(text) is \(QuietHours.text(minute))")
        }
    }
}
