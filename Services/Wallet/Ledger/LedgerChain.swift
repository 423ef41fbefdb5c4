import Crypto
import Foundation
import Postgres

/// The head of a chain: the place and the hash of its last transfer.
struct LedgerChain: Sendable, Hashable {
    let id: Int
    private(set) var place: Int
    private(set) var hash: [UInt8]

    init(id: Int, place: Int, hash: [UInt8]) {
        self.id = id
        self.place = place
        self.hash = hash
    }

    /// Appends a transfer to the chain.
    /// - Parameters:
    ///   - accounts: the account numbers of its entries, in order.
    ///   - at: the transaction's time in microseconds since 1970.
    mutating func append(_ posting: LedgerBook.Posting, accounts: [Int], at: Int) {
        let transfer = posting.transfer
        place += 1
        var link = ChainLink(
            .named, after: hash, chain: id, place: place, id: transfer.id, subject: transfer.subject,
            key: transfer.key, kind: transfer.kind.rawValue, currency: transfer.currency, at: at,
            entryCount: posting.entries.count)
        for (entry, number) in zip(posting.entries, accounts) {
            link.append(NumberedAccount(number, entry.account), amount: entry.amount, balance: entry.balance)
        }
        hash = Self.hash(link)
    }

    static func hash(_ link: ChainLink) -> [UInt8] {
        var hash = SHA256()
        link.bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { Array($0) }
    }
}

/// A locked chain, and the transaction's time, which its new rows receive.
struct LockedChain: Sendable {
    let head: LedgerChain
    /// Microseconds since 1970.
    let at: Int

    fileprivate init(row: inout RowReader) throws(PostgresError) {
        head = try LedgerChain(row: &row)
        at = try row.next()
    }
}

extension LedgerChain {
    init(row: inout RowReader) throws(PostgresError) {
        self.init(id: try row.next(), place: try row.next(), hash: try row.next())
    }
}

/// Locks a chain that no other transaction has locked, starting at a random one. Returns no row when all are locked.
struct LockFreeChain: Statement {
    static let sql: SQL = """
        SELECT id, place, hash, (extract(epoch FROM now()) * 1000000)::bigint FROM chains
        ORDER BY (id + $1) % 16 FOR NO KEY UPDATE SKIP LOCKED LIMIT 1
        """
    let start = Int.random(in: 0..<LockChain.count)
    func bind(_ bindings: inout Bindings) { bindings.append(start) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LockedChain { try LockedChain(row: &row) }
}

/// Locks a random chain, waiting for its current holder.
struct LockChain: Statement {
    /// The number of chains.
    static let count = 16

    static let sql: SQL = """
        SELECT id, place, hash, (extract(epoch FROM now()) * 1000000)::bigint FROM chains
        WHERE id = $1 FOR NO KEY UPDATE
        """
    let chain = Int.random(in: 1...LockChain.count)
    func bind(_ bindings: inout Bindings) { bindings.append(chain) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LockedChain { try LockedChain(row: &row) }
}

struct MoveChain: Statement {
    static let sql: SQL = "UPDATE chains SET place = $2, hash = $3 WHERE id = $1"
    let chain: LedgerChain
    func bind(_ bindings: inout Bindings) { bindings.append(chain.id, chain.place, chain.hash) }
}
