import Foundation

/// The bytes of a transfer that are hashed as its link in a chain.
///
/// Numbers are big-endian; a text is its length in four bytes followed by its UTF-8. The layout is: previous hash (32
/// bytes), chain (2), place (8), id (16), subject (16), key, kind, currency, number of entries (4), and for each entry
/// in order: account (8), amount (8), balance (8). The form ``Form/named`` adds, after the currency, the text `2` and
/// the time in microseconds since 1970 (8), and before each entry its account's kind, owner (16), currency and shard
/// (2).
struct ChainLink: Sendable {
    /// The layout version. A transfer keeps the form in which it was hashed.
    enum Form: Int, Sendable {
        /// Names accounts by number alone. Used for transfers from before ``named``.
        case numbered = 1
        /// Also covers each account's kind, owner, currency and shard, and the time.
        case named = 2
    }

    private(set) var bytes: [UInt8] = []
    private let form: Form

    /// The previous hash of a chain's first transfer.
    static let beginning = [UInt8](repeating: 0, count: 32)

    /// - Parameters:
    ///   - previous: the hash of the previous transfer in the chain.
    ///   - place: the place in the chain, from 1.
    ///   - at: microseconds since 1970.
    init(
        _ form: Form, after previous: [UInt8], chain: Int, place: Int, id: UUID, subject: UUID, key: String,
        kind: String, currency: String, at: Int, entryCount: Int
    ) {
        self.form = form
        bytes.reserveCapacity(180 + 72 * entryCount)
        bytes += previous
        append(Int16(truncatingIfNeeded: chain))
        append(Int64(place))
        append(id)
        append(subject)
        append(key)
        append(kind)
        append(currency)
        if form == .named {
            append(String(form.rawValue))
            append(Int64(at))
        }
        append(Int32(truncatingIfNeeded: entryCount))
    }

    mutating func append(_ account: NumberedAccount, amount: Int, balance: Int) {
        if form == .named {
            append(account.kind)
            append(account.owner)
            append(account.currency)
            append(Int16(truncatingIfNeeded: account.shard))
        }
        append(Int64(account.number))
        append(Int64(amount))
        append(Int64(balance))
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ id: UUID) { withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) } }

    private mutating func append(_ text: String) {
        append(Int32(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// An account as it is hashed in a link.
struct NumberedAccount: Hashable, Sendable {
    let number: Int
    /// The stored text, which may be a kind that this version does not know.
    let kind: String
    let owner: UUID
    let currency: String
    let shard: Int
}

extension NumberedAccount {
    init(_ number: Int, _ reference: AccountReference) {
        self.init(
            number: number, kind: reference.kind.rawValue, owner: reference.owner, currency: reference.currency,
            shard: reference.shard)
    }
}
