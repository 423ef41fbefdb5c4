public import Foundation
public import Postgres

/// The accounts whose deletion is running or done: nothing new may begin for them (I12).
///
/// An operation that begins something for an account calls ``deleted(among:in:)`` in its transaction. The handler of a
/// requested deletion calls ``begin(_:version:in:)`` and then checks what is open. Their locks conflict: either the
/// deletion sees what has begun, or the operation sees the deletion. Needs ``migrations``.
public enum AccountDeletionGuard {
    public static let migrations = [
        Migration(
            component: "accounts", version: 1, name: "leaving_accounts",
            sql: String(decoding: PackageResources._003_leaving_accounts_sql, as: UTF8.self)),
        Migration(
            component: "accounts", version: 2, name: "leaving_accounts_comment",
            sql: String(decoding: PackageResources._006_leaving_accounts_comment_sql, as: UTF8.self)),
    ]

    /// Returns the accounts whose deletion is running or done. A deletion of any of them that arrives later waits for
    /// the commit.
    public static func deleted(
        among accounts: [UUID], in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Set<UUID> {
        // The rows are read after the locks are granted, so they include the changes of an earlier deletion.
        let (_, leaving) = try await transaction.queryAll(Share(accounts), Find(accounts))
        return Set(leaving)
    }

    /// - Throws: ``Problem/accountLeaving``
    public static func refuse(_ account: UUID, in transaction: PostgresTransaction) async throws {
        guard try await deleted(among: [account], in: transaction).isEmpty else { throw Problem.accountLeaving }
    }

    /// Tries the shared lock of ``deleted(among:in:)`` alone, for a caller that must not wait because others wait for its
    /// locks.
    ///
    /// - Returns: false when a decision about the account is running now.
    public static func tryLockShared(
        _ account: UUID, in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Bool {
        try await transaction.first(TryShareAccount(account: account)) ?? false
    }

    /// Takes the exclusive lock for another decision about an account than a deletion, such as a ban: waits for the
    /// commit of all earlier callers of ``deleted(among:in:)``, and blocks later ones until its own commit. One account in a
    /// transaction, and before any row lock.
    public static func lock(_ account: UUID, in transaction: PostgresTransaction) async throws(PostgresError) {
        _ = try await transaction.query(LockLeaving(account: account))
    }

    /// Records that a deletion was requested. Waits for the commit of all earlier callers of ``deleted(among:in:)``, and
    /// blocks later ones until its own commit. One account in a transaction, and before any row lock.
    ///
    /// - Parameter version: the account's version; a later deletion has a greater one.
    /// - Returns: false for a repeated or late event, which changes nothing.
    public static func begin(
        _ account: UUID, version: Int, in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Bool {
        let (_, begun) = try await transaction.queryAll(
            LockLeaving(account: account), MoveLeaving(account: account, version: version, state: "leaving"))
        return !begun.isEmpty
    }

    /// Records that this deletion was refused: the account goes on, unless a later deletion was requested.
    public static func end(
        _ account: UUID, version: Int, in transaction: PostgresTransaction
    ) async throws(PostgresError) {
        // Also stored when the refusal comes before the request, which then has no effect.
        _ = try await transaction.queryAll(
            LockLeaving(account: account), MoveLeaving(account: account, version: version, state: "stays"))
    }

    /// Records that the account is deleted, for ever.
    public static func close(
        _ account: UUID, version: Int, in transaction: PostgresTransaction
    ) async throws(PostgresError) {
        _ = try await transaction.queryAll(
            LockLeaving(account: account), MoveLeaving(account: account, version: version, state: "gone"))
    }
}

extension AccountDeletionGuard {
    /// The first half of ``deleted(among:in:)``, for a caller that reads more in the same round trip: before ``Find``, and
    /// before everything that a deletion or a ban would change.
    public struct Share: Statement {
        public static let sql: SQL = """
            SELECT pg_advisory_xact_lock_shared(hashtextextended('leaving:' || account::text, 0))
            FROM unnest($1::uuid[]) AS account
            """
        private let accounts: [UUID]

        public init(_ accounts: [UUID]) {
            // Sorted, so that all transactions take the locks in one order.
            self.accounts = accounts.sorted { $0.uuidString < $1.uuidString }
        }

        public func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    }

    /// The second half: the accounts whose deletion is running or done.
    public struct Find: Statement {
        public static let sql: SQL = """
            SELECT account FROM leaving_accounts WHERE account = ANY ($1) AND state <> 'stays'
            """
        private let accounts: [UUID]

        public init(_ accounts: [UUID]) { self.accounts = accounts }

        public func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
        public static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
    }
}

private struct TryShareAccount: Statement {
    static let sql: SQL =
        "SELECT pg_try_advisory_xact_lock_shared(hashtextextended('leaving:' || $1::uuid::text, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

private struct LockLeaving: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('leaving:' || $1::uuid::text, 0))"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Returns no row for an event without effect: an older deletion, or one that has ended.
private struct MoveLeaving: Statement {
    static let sql: SQL = """
        INSERT INTO leaving_accounts AS l (account, version, state) VALUES ($1, $2, $3)
        ON CONFLICT (account) DO UPDATE SET version = excluded.version, state = excluded.state
        WHERE l.state <> 'gone' AND (l.version < excluded.version
            OR l.version = excluded.version AND l.state = 'leaving' AND excluded.state <> 'leaving')
        RETURNING account
        """
    let account: UUID
    let version: Int
    let state: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, version, state) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
