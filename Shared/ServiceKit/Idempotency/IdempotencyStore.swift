import Foundation
import HTTPTypes
public import Hummingbird
import Logging
import Messaging
public import Postgres

/// Remembers what requests with an Idempotency-Key were answered, in the service's own schema, for 24 hours.
///
/// The same key with the same input gets the first answer again, with `Idempotency-Replayed: true`; with another
/// input a 422; while the first request runs a 409 with `Retry-After`. Not kept are answers of 500 and above, those
/// about the moment (401, 408, 425, 429), and thrown errors, problems included: they have changed nothing, so the
/// request may be tried again, also corrected. Stored answers are encrypted: they can be read only with the service's
/// signing key and the client's Idempotency-Key together, and of the latter only a hash is stored.
///
/// The key's row is committed in the transaction of the effect: at no moment does one exist without the other, so an
/// effect happens once whatever crashes.
public struct IdempotencyStore: Sendable {
    public struct Settings: Sendable {
        /// How long an answer can be had again.
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
            sql: String(decoding: PackageResources._001_idempotency_sql, as: UTF8.self))
    ]

    /// Answers a request once, in one transaction with its effect.
    ///
    /// `body` makes the effect and the answer. What it throws rolls everything back, the key included, so that the same
    /// key can be tried again: an error is not remembered. An answer that is not kept (500 and above, 401, 408, 425,
    /// 429) rolls back as well, since an effect without its key could happen twice. `body` may run more than once, when the
    /// transaction is repeated after a conflict. One round trip more than the transaction alone needs.
    ///
    /// - Parameter asksFirst: asks for the key together with what `body` asks first, which saves that round trip. `body`
    ///   then runs up to there for a request that was answered before, and what it asked for and wrote is rolled back.
    /// - Throws: ``Problem``: 409 while another process answers the same key, 422 for another input;
    ///   ``AnswerTooLarge``; and what `body` and the database throw.
    public func answer(
        _ request: IdempotentRequest, asksFirst: Bool = false,
        _ body: (PostgresTransaction) async throws -> Response
    ) async throws -> Response {
        let row = row(request)
        do {
            return try await pool.withTransaction { transaction in
                if asksFirst {
                    transaction.require(LockIdempotencyKey(row: row)) { $0.first == true }
                    // Read after the lock is had, so it is what whoever had it before has left.
                    transaction.require(FindIdempotencyKey(row: row)) { $0.isEmpty }
                } else if let answer = try await self.look(request, row, in: transaction) {
                    return answer.response
                }
                let (stored, response) = try await StoredAnswer.taking(
                    // Kept with the answer: who has it again may have another language by then.
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
            // A body that ended by itself may have done so before the key was looked at.
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

    /// Takes the key's lock, and returns what was answered before.
    ///
    /// - Throws: 409 while another process has the lock, and what ``stored(_:_:)`` throws.
    private func look(
        _ request: IdempotentRequest, _ row: IdempotencyRow, in transaction: PostgresTransaction
    ) async throws -> StoredAnswer? {
        let (locks, findings) = try await transaction.queryAll(
            LockIdempotencyKey(row: row), FindIdempotencyKey(row: row))
        guard locks.first == true else { throw Self.inUse }
        return try findings.first.map { try stored($0, request) }
    }

    /// Looks for the answer, in one round trip.
    ///
    /// - Returns: nil when there is none and nobody makes one at this moment.
    /// - Throws: ``Problem``: 409 while another process answers the same key, 422 for another input.
    func known(_ request: IdempotentRequest) async throws -> Response? {
        guard let look = try await pool.first(LookAtIdempotencyKey(row: row(request))) else { return nil }
        guard look.isFree else { throw Self.inUse }
        guard let finding = look.finding else { return nil }
        return try stored(finding, request).response
    }

    /// An answer that cannot be kept and so must not stand. The transaction was rolled back.
    public struct AnswerTooLarge: Error, Equatable {
        public let limitBytes: Int
    }

    /// Carries an answer out of a transaction that is rolled back.
    private struct NotKept: Error {
        let response: Response
    }

    /// Removes expired keys.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func purge(batch: Int = 1_000) async throws -> Int {
        try await pool.executeInBatches(of: batch, PurgeIdempotencyKeys(limit: batch))
    }

    private func row(_ request: IdempotentRequest) -> IdempotencyRow {
        IdempotencyRow(
            scope: request.scope, keyHash: seal.keyHash(request.key), fingerprint: seal.fingerprint(request.input))
    }

    private func sealed(_ answer: StoredAnswer, _ request: IdempotentRequest) throws -> [UInt8] {
        try seal.seal(answer.json, key: request.key, scope: request.scope)
    }

    /// The answer that a row holds.
    ///
    /// - Throws: 422 for another input.
    private func stored(_ finding: IdempotencyFinding, _ request: IdempotentRequest) throws -> StoredAnswer {
        guard finding.isSameInput else {
            throw Problem("idempotency-key-reused", status: .unprocessableContent)
        }
        let bytes = try seal.open(finding.answer, key: request.key, scope: request.scope)
        return try StoredAnswer(json: bytes)
    }

    /// The request that has the key runs, and most are done in less than a second.
    static let inUse = Problem("idempotency-key-in-use", status: .conflict, headers: [.retryAfter: "1"])
}

extension Duration {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
