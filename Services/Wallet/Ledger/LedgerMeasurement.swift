import Foundation
import Glibc
import Messaging
import Postgres

/// Posts random transfers between numbered wallets as fast as the database accepts them.
struct LedgerMeasurement: Sendable {
    struct NotEmpty: Error, CustomStringConvertible {
        let description = "the ledger has accounts; what is measured would stay in it"
    }

    let pool: PostgresPool
    let accounts: Int
    /// Transfers per transaction.
    let batch: Int
    /// Whether every transfer touches the same platform account.
    let isHot: Bool

    private static let currency = "SAR"

    /// The owner id of a wallet by number: `00000000-0000-7000-8000-000000000001` and so on.
    static func owner(_ number: Int) -> UUID {
        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
        return UUID(
            uuid: (
                0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
            ))
    }

    private static func wallet(_ number: Int) -> AccountReference { .wallet(owner(number), currency) }

    /// Opens the wallets and credits each with more money than a measurement can move.
    /// - Throws: ``NotEmpty`` when the ledger already has accounts.
    func prepare() async throws {
        guard try await pool.first(HasAccounts()) == false else { throw NotEmpty() }
        for start in stride(from: 1, through: accounts, by: 500) {
            let set = (start..<min(start + 500, accounts + 1)).map { number in
                let owner = Self.owner(number)
                return Transfer(
                    id: .timeOrdered(), .topUp, of: owner, currency: Self.currency,
                    [Move(1_000_000_000, from: .external(Self.currency, for: owner), to: Self.wallet(number))])
            }
            try await pool.withTransaction { _ = try await Ledger.post(set, in: $0) }
        }
        try await pool.execute(AnalyzeAccounts())
    }

    struct Result: Encodable {
        var transfers = 0
        var seconds = 0.0
        /// CPU time of this process.
        var cpuSeconds = 0.0
    }

    /// Posts transfers until `limit` has passed.
    func run(clients: Int, for limit: Duration) async throws -> Result {
        let (start, cpu) = (ContinuousClock.now, Self.cpuSeconds)
        guard limit > .zero else { return Result() }
        let count = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for _ in 0..<clients {
                tasks.addTask(executorPreference: pool.thread) {
                    var posted = 0
                    while ContinuousClock.now < start + limit {
                        let commands = (0..<batch).map { _ in transfer() }
                        let outcomes = try await pool.withTransaction { try await Ledger.perform(commands, in: $0) }
                        posted += outcomes.count { if case .posted = $0 { true } else { false } }
                    }
                    return posted
                }
            }
            return try await tasks.reduce(0, +)
        }
        return Result(
            transfers: count, seconds: (.now - start) / .seconds(1), cpuSeconds: Self.cpuSeconds - cpu)
    }

    /// `clock()` counts in microseconds, as POSIX requires.
    private static var cpuSeconds: Double { Double(clock()) / 1_000_000 }

    /// A random transfer with two entries.
    private func transfer() -> LedgerCommand {
        let from = Int.random(in: 1...accounts)
        let other = (from + Int.random(in: 1..<accounts) - 1) % accounts + 1
        let to = isHot ? AccountReference.platform(Self.currency, for: Self.owner(1)) : Self.wallet(other)
        return .post(
            id: .timeOrdered(), subject: .timeOrdered(), currency: Self.currency,
            legs: [.init(from: Self.wallet(from), to: to, amount: Int.random(in: 1...100))])
    }
}

struct HasAccounts: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM accounts)"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Updates the planner's statistics now instead of waiting for autovacuum.
struct AnalyzeAccounts: Statement { static let sql: SQL = "ANALYZE accounts" }
