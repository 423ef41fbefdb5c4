import Crypto
import Foundation

extension LedgerCommand {
    /// What is asked, in sixteen bytes. Nil where the key says it all, and for a capture, of which the first one counts.
    var digest: [UInt8]? {
        switch self {
        case .place(let hold):
            // Whole milliseconds, as a message has them.
            let end = hold.expiresAt.flatMap { Int(exactly: ($0.timeIntervalSince1970 * 1_000).rounded()) }
            return Self.digest([
                hold.owner.uuidString, hold.currency, String(hold.amount), hold.subject.uuidString,
                end.map { String($0) } ?? "",
            ])
        case .post(_, let subject, let currency, let legs):
            return Self.digest(
                [subject.uuidString, currency]
                    + legs.flatMap { [Self.text($0.from), Self.text($0.to), String($0.amount)] })
        case .capture, .release, .expire, .reverse: return nil
        }
    }

    /// No part contains a space.
    private static func digest(_ parts: [String]) -> [UInt8] {
        Array(SHA256.hash(data: Data(parts.joined(separator: " ").utf8)).prefix(16))
    }

    private static func text(_ account: AccountReference) -> String {
        "\(account.kind.rawValue):\(account.owner.uuidString):\(account.currency):\(account.shard)"
    }
}
