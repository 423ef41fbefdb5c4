import Crypto
import Foundation
import Messaging
import SeraiJSON

extension LedgerCommand {
    /// A 16-byte digest of the request. Nil where the key identifies the request completely, and for a capture, since
    /// the first capture of a hold counts whatever later ones say.
    var digest: [UInt8]? {
        var text = DigestText()
        switch self {
        case .place(let hold):
            text.add(hold.owner)
            text.add(hold.currency)
            text.add(String(hold.amount))
            text.add(hold.subject)
            // Whole milliseconds: the precision of a message.
            let end = hold.expiresAt.flatMap { Int(exactly: ($0.timeIntervalSince1970 * 1_000).rounded()) }
            text.add(end.map { String($0) } ?? "")
        case .post(_, let subject, let currency, let legs):
            text.add(subject)
            text.add(currency)
            for leg in legs {
                text.add(leg.from)
                text.add(leg.to)
                text.add(String(leg.amount))
            }
        case .capture, .release, .expire, .reverse: return nil
        }
        return text.digest
    }
}

/// Joins parts with spaces (no part contains one). Ids are in upper case.
private struct DigestText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(320) }

    var digest: [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { Array($0.prefix(16)) }
    }

    mutating func add(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ id: UUID) {
        separate()
        WireID.append(id, inCapitals: true, to: &bytes)
    }

    mutating func add(_ account: AccountReference) {
        add(account.kind.rawValue)
        bytes.append(UInt8(ascii: ":"))
        WireID.append(account.owner, inCapitals: true, to: &bytes)
        bytes.append(contentsOf: ":\(account.currency):\(account.shard)".utf8)
    }

    private mutating func separate() {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
    }
}
