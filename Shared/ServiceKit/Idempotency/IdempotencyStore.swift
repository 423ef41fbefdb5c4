import Foundation
import HTTPTypes
public import Hummingbird
import Logging
import Messaging
public import Postgres
import SeraiJSON

/// Stores the answers to requests with an Idempotency-Key, in the service's own schema, for 24 hours.
///
/// The same key with the same input gets the first answer again, with `Idempotency-Replayed: true`; with another input
/// a 422; while the first request is running a 409 with `Retry-After`. Not stored are answers of 500 and above, answers
/// about the moment (401, 408, 425, 429), and thrown errors including problems: these have changed nothing, so the
/// request may be tried again, also with corrections. Stored answers are encrypted: reading one needs both the
/// service's signing key and the client's Idempotency-Key, of which only a hash is stored.
///
/// The key's row is committed in the transaction of the effect: neither ever exists without the other, so an effect
/// happens once, whatever crashes.
public struct IdempotencyStore: Sendable {
    public struct Settings: Sendable {
        /// How long an answer is kept.
        public var lifetime: Duration = .seconds(86_400)

        public init() {}
    }

    let settings: Settings
    private let pool: PostgresPool
    private let seal: IdempotencySeal

    /// - Parameter secret: see ``CommonKeys/signingKey``.
    public init(pool: PostgresPool, secret: Redacted<String>, settings: Settings = Settings()) {
        self.pool = pool
        self.settings = settings
        seal = IdempotencySeal(secret: secret)
    }

    /// The table's migration. Every service that uses the store runs it in its schema.
    public static let migrations = [
        Migration(
            component: "servicekit", version: 1, name: "idempotency",
            sql: String(decoding: PackageResources._001_idempotency_sql, as: UTF8.self)),
        Migration(
            component: "servicekit", version: 2, name: "idempotency_comment",
            sql: String(decoding: PackageResources._004_idempotency_comment_sql, as: UTF8.self)),
    ]

    /// Answers a request once, in one transaction with its effect.
    ///
    /// `body` makes the effect and the answer. An error of it rolls everything back, including the key, so the same key
    /// can be tried again: errors are not stored. An answer that is not kept (500 and above, 401, 408, 425, 429) is
    /// rolled back too, because an effect without its key could happen twice. `body` may run more than once, when the
    /// transaction is repeated after a conflict. Needs one round trip more than the transaction alone.
    ///
    /// - Parameter asksFirst: sends the key's statements together with the first query of `body`, which saves that
    ///   round trip. For a request that was answered before, `body` then runs up to this query, and its work is rolled
    ///   back.
    /// - Throws: ``Problem``: 409 while another process answers the same key, 422 for another input;
    ///   ``AnswerTooLarge``; errors of `body` and of the database.
    public func answer(
        _ request: IdempotentRequest, asksFirst: Bool = false,
        _ body: (PostgresTransaction) async throws -> Response
    ) async throws -> Response {
        let row = row(request)
        do {
            return try await pool.withTransaction { transaction in
                if asksFirst {
                    transaction.require(LockIdempotencyKey(row: row)) { $0.first == true }
                    // Read after the lock is granted, so it includes the changes of the previous holder of the lock.
                    transaction.require(FindIdempotencyKey(row: row)) { $0.isEmpty }
                } else if let answer = try await self.look(request, row, in: transaction) {
                    return answer.response
                }
                let (stored, response) = try await StoredAnswer.taking(
                    // The language is stored with the answer, because a repeated request may have another language.
                    try await body(transaction).inLanguage(request.language))
                guard StoredAnswer.isKept(response.status) else { throw NotKept(response: response) }
                guard let stored else { throw AnswerTooLarge(limitBytes: StoredAnswer.maximumBytes) }
                transaction.send(
                    RecordIdempotencyKey(
                        row: row, status: Int16(stored.status), answer: try self.sealed(stored, request),
                        lifetimeSeconds: settings.lifetime.seconds))
                return response
            }
        } catch {
            let isDeclined = (error as? PostgresError)?.code == .declined
            // A body that failed by itself may have done so before the key was read.
            if asksFirst, isDeclined || !(error is PostgresError),
                let answer = try await pool.first(FindIdempotencyKey(row: row)).map({ try stored($0, request) })
            {
                return answer.response
            }
            if isDeclined { throw Self.inUse }
            guard let notKept = error as? NotKept else { throw error }
            return notKept.response
        }
    }

    /// Takes the key's lock, and returns the stored answer.
    ///
    /// - Throws: 409 while another process has the lock; errors of ``stored(_:_:)``.
    private func look(
        _ request: IdempotentRequest, _ row: IdempotencyRow, in transaction: PostgresTransaction
    ) async throws -> StoredAnswer? {
        let (locks, findings) = try await transaction.queryAll(
            LockIdempotencyKey(row: row), FindIdempotencyKey(row: row))
        guard locks.first == true else { throw Self.inUse }
        return try findings.first.map { try stored($0, request) }
    }

    /// Looks up the answer in one round trip.
    ///
    /// - Returns: nil when there is none and no process is making one.
    /// - Throws: ``Problem``: 409 while another process answers the same key, 422 for another input.
    public func known(_ request: IdempotentRequest) async throws -> Response? {
        guard let look = try await pool.first(LookAtIdempotencyKey(row: row(request))) else { return nil }
        guard look.isFree else { throw Self.inUse }
        guard let finding = look.finding else { return nil }
        return try stored(finding, request).response
    }

    /// A keyed hash of the request's caller, route, key and input, by which a request that is repeated without a stored
    /// answer is recognized: for what is counted outside the transaction.
    public func mark(of request: IdempotentRequest) -> [UInt8] { seal.mark(of: row(request)) }

    /// The answer is too large to be stored, so its transaction was rolled back.
    public struct AnswerTooLarge: Error, Equatable {
        public let limitBytes: Int
    }

    /// Carries an answer out of a transaction that is rolled back.
    private struct NotKept: Error {
        let response: Response
    }

    /// Deletes expired keys.
    ///
    /// - Returns: the number of deleted keys.
    @discardableResult
    public func purge(batch: Int = 1_000) async throws -> Int {
        try await pool.executeInBatches(of: batch, PurgeIdempotencyKeys(limit: batch))
    }

    private func row(_ request: IdempotentRequest) -> IdempotencyRow {
        IdempotencyRow(
            scope: request.scope, keyHash: seal.keyHash(request.key), fingerprint: seal.fingerprint(request.input))
    }

    private func sealed(_ answer: StoredAnswer, _ request: IdempotentRequest) throws -> [UInt8] {
        try seal.seal(Data(try JSON.stored.encode(answer)), key: request.key, scope: request.scope)
    }

    /// The answer stored in a row.
    ///
    /// - Throws: 422 for another input.
    private func stored(_ finding: IdempotencyFinding, _ request: IdempotentRequest) throws -> StoredAnswer {
        guard finding.isSameInput else {
            throw Problem("idempotency-key-reused", status: .unprocessableContent)
        }
        let bytes = try seal.open(finding.answer, key: request.key, scope: request.scope)
        return try JSON.stored.decode(StoredAnswer.self, bytes)
    }

    /// A request with the key is running; most finish in less than a second.
    static let inUse = Problem("idempotency-key-in-use", status: .conflict, headers: [.retryAfter: "1"])
}

extension Duration {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
