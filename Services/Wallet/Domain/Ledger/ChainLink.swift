import Foundation

/// The bytes of a transfer whose hash is its link in a chain.
///
/// Numbers are big-endian, texts are UTF-8 behind their length in four bytes:
/// previous hash (32), chain (2), place (8), id (16), subject (16), key, kind, currency, number of entries (4), and for
/// each entry in its order account (8), amount (8), balance (8).
struct ChainLink: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Of nothing: what the first of a chain has before it.
    static let beginning = [UInt8](repeating: 0, count: 32)

    /// - Parameters:
    ///   - previous: the hash of the transfer before it in its chain.
    ///   - place: in the chain, from 1 on.
    init(
        after previous: [UInt8], chain: Int, place: Int, id: UUID, subject: UUID, key: String, kind: String,
        currency: String, entryCount: Int
    ) {
        bytes.reserveCapacity(160 + 24 * entryCount)
        bytes += previous
        append(Int16(truncatingIfNeeded: chain))
        append(Int64(place))
        append(id)
        append(subject)
        append(key)
        append(kind)
        append(currency)
        append(Int32(truncatingIfNeeded: entryCount))
    }

    mutating func append(account: Int, amount: Int, balance: Int) {
        append(Int64(account))
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
