import Foundation
import Postgres

/// A fault found in a chain of transfers.
enum ChainFault: Hashable, Sendable, CustomStringConvertible {
    /// The stored hash does not match: the transfer, one of its entries or the previous transfer was changed after
    /// posting.
    case differs(chain: Int, place: Int, transfer: UUID)
    /// No transfer has this place, although a later place is taken.
    case missing(chain: Int, place: Int)
    /// The chain's head names another last transfer: transfers were removed, or inserted behind the head.
    case end(chain: Int, head: Int, last: Int)
    /// The transfer has a chain or place number that does not exist.
    case outside(chain: Int, place: Int, transfer: UUID)
    /// The table holds more transfers than were read by chain and place.
    case count(read: Int, found: Int)

    var description: String {
        switch self {
        case .differs(let chain, let place, let transfer):
            "chain \(chain): transfer \(transfer.uuidString.lowercased()) at \(place) is not what was posted"
        case .missing(let chain, let place): "chain \(chain): the transfer at \(place) is missing"
        case .end(let chain, let head, let last): "chain \(chain): its last transfer is at \(last), its head at \(head)"
        case .outside(let chain, let place, let transfer):
            "chain \(chain): transfer \(transfer.uuidString.lowercased()) at \(place) is outside of the chains"
        case .count(let read, let found): "\(read) transfers are in chains, \(found) are there"
        }
    }
}

/// Hashes every transfer again, in chain order, and compares the result with the stored hash.
///
/// Reads the whole ledger page by page in the transaction's snapshot. After a transfer that differs, later ones are
/// checked against its stored hash, so each fault is reported once.
struct ChainCheck {
    static let pageSize = 2_000
    /// The maximum number of reported faults.
    static let faultLimit = 100

    private(set) var faults: [ChainFault] = []
    private var count = 0
    private var last: [Int: LedgerChain] = [:]

    /// - Returns: the heads of the chains, and the faults.
    static func run(in transaction: PostgresTransaction) async throws -> (heads: [LedgerChain], faults: [ChainFault]) {
        var check = ChainCheck()
        let heads = try await transaction.query(ListChains())
        // Starts below every value that the columns can hold, so that invalid rows are read too.
        var (chain, place) = (Int(Int16.min), Int.min)
        while check.faults.count < faultLimit {
            let page = try await transaction.query(ReadChains(chain: chain, after: place, limit: pageSize))
            for transfer in page { check.read(transfer) }
            guard page.count == pageSize, let end = page.last else { break }
            (chain, place) = (end.chain, end.place)
        }
        if check.faults.count < faultLimit {
            check.compare(heads)
            let found = try await transaction.first(CountTransfers()) ?? 0
            if found != check.count { check.faults.append(.count(read: check.count, found: found)) }
        }
        return (heads, check.faults)
    }

    private mutating func read(_ transfer: ChainedTransfer) {
        count += 1
        guard (1...LockChain.count).contains(transfer.chain), transfer.place > 0 else {
            return faults.append(.outside(chain: transfer.chain, place: transfer.place, transfer: transfer.id))
        }
        let previous = last[transfer.chain]
        let next = (previous?.place ?? 0) + 1
        if transfer.place != next { faults.append(.missing(chain: transfer.chain, place: next)) }
        // After a gap the previous hash is unknown, so the hash of this transfer cannot be checked.
        if transfer.place == next, LedgerChain.hash(transfer.link(after: previous?.hash)) != transfer.hash {
            faults.append(.differs(chain: transfer.chain, place: transfer.place, transfer: transfer.id))
        }
        last[transfer.chain] = LedgerChain(id: transfer.chain, place: transfer.place, hash: transfer.hash)
    }

    private mutating func compare(_ heads: [LedgerChain]) {
        for id in Set(heads.map(\.id)).union(last.keys).sorted() {
            let head = heads.first { $0.id == id } ?? LedgerChain(id: id, place: 0, hash: ChainLink.beginning)
            let end = last[id] ?? LedgerChain(id: id, place: 0, hash: ChainLink.beginning)
            if head != end { faults.append(.end(chain: id, head: head.place, last: end.place)) }
        }
    }
}

/// A stored transfer with its entries.
struct ChainedTransfer: Sendable {
    let chain: Int
    let place: Int
    let hash: [UInt8]
    let id: UUID
    let subject: UUID
    let key: String
    let kind: String
    let currency: String
    let form: ChainLink.Form
    /// Microseconds since 1970.
    let at: Int
    /// The accounts of the entries, in entry order; `amounts` and `balances` have the same order.
    let accounts: [NumberedAccount]
    let amounts: [Int]
    let balances: [Int]

    func link(after previous: [UInt8]?) -> ChainLink {
        var link = ChainLink(
            form, after: previous ?? ChainLink.beginning, chain: chain, place: place, id: id, subject: subject,
            key: key, kind: kind, currency: currency, at: at, entryCount: accounts.count)
        for index in accounts.indices {
            link.append(accounts[index], amount: amounts[index], balance: balances[index])
        }
        return link
    }
}

struct ListChains: Statement {
    static let sql: SQL = "SELECT id, place, hash FROM chains ORDER BY id"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LedgerChain { try LedgerChain(row: &row) }
}

struct CountTransfers: Statement {
    static let sql: SQL = "SELECT count(*) FROM transfers"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Reads the transfers after a place, ordered by chain and place.
struct ReadChains: Statement {
    static let sql: SQL = """
        SELECT chain, place, hash, id, subject, key, kind, currency, form, (extract(epoch FROM at) * 1000000)::bigint,
            legs.accounts, legs.kinds, legs.owners, legs.currencies, legs.shards, legs.amounts, legs.balances
        FROM transfers
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(entries.account ORDER BY entries.id), '{}') AS accounts,
                coalesce(array_agg(coalesce(accounts.kind, '') ORDER BY entries.id), '{}') AS kinds,
                coalesce(array_agg(
                    coalesce(accounts.owner, '00000000-0000-0000-0000-000000000000') ORDER BY entries.id), '{}') AS owners,
                coalesce(array_agg(coalesce(accounts.currency, '') ORDER BY entries.id), '{}') AS currencies,
                coalesce(array_agg(coalesce(accounts.shard, -1)::bigint ORDER BY entries.id), '{}') AS shards,
                coalesce(array_agg(entries.amount ORDER BY entries.id), '{}') AS amounts,
                coalesce(array_agg(entries.balance ORDER BY entries.id), '{}') AS balances
            FROM entries LEFT JOIN accounts ON accounts.id = entries.account
            WHERE entries.transfer = transfers.id
        ) AS legs
        WHERE (chain, place) > ($1, $2) ORDER BY chain, place LIMIT $3
        """
    let chain: Int
    let after: Int
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(chain, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ChainedTransfer {
        let (chain, place): (Int, Int) = (try row.next(), try row.next())
        let hash: [UInt8] = try row.next()
        let (id, subject): (UUID, UUID) = (try row.next(), try row.next())
        let (key, kind, currency): (String, String, String) = (try row.next(), try row.next(), try row.next())
        // An unknown form number is hashed as `numbered`; the hash then differs from the stored one and is reported.
        let form = ChainLink.Form(rawValue: try row.next()) ?? .numbered
        let at: Int = try row.next()
        let numbers: [Int] = try row.next()
        let (kinds, owners): ([String], [UUID]) = (try row.next(), try row.next())
        let (currencies, shards): ([String], [Int]) = (try row.next(), try row.next())
        let accounts = numbers.indices.map { index in
            NumberedAccount(
                number: numbers[index], kind: kinds[index], owner: owners[index], currency: currencies[index],
                shard: shards[index])
        }
        return ChainedTransfer(
            chain: chain, place: place, hash: hash, id: id, subject: subject, key: key, kind: kind, currency: currency,
            form: form, at: at, accounts: accounts, amounts: try row.next(), balances: try row.next())
    }
}
