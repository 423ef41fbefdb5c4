import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which owners delete their accounts. The outcome comes a moment later, on the stream and by mail, and is
/// read here.
struct DeletionRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/deletion", context: AuthenticatedContext.self)
            .get(use: read)
        router.group("identity/v1/accounts/me/deletion")
            .add(middleware: parts.limits.proving)
            .group(context: AuthenticatedContext.self)
            .post(use: ask)
        router.group("identity/v1/deletions")
            .add(middleware: parts.limits.lookingUp)
            .get("{deletion}", use: outcome)
    }

    private func ask(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let password = form.secret("password", length: 1...512, required: false)
        try form.finish()
        let caller = context.caller
        return try await parts.idempotency.answer(once) {
            try await parts.proveOwner(caller, password: password, at: parts.clock())
        } _: { transaction, _ in
            let deletion = try await parts.askDeletion(
                caller.accountID, by: .owner, at: parts.clock(), in: transaction)
            return try .json(
                .accepted, DeletionView(deletion, decidedAt: nil), at: "/identity/v1/accounts/me/deletion")
        }
    }

    /// A refused deletion is answered as a problem that names what is open.
    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let found = try await parts.pool.withTransaction(.readOnly) { transaction -> (Deletion, Date?)? in
            guard let row = try await transaction.first(FindLastDeletion(account: context.caller.accountID)) else {
                return nil
            }
            let answers = try await transaction.query(FindDeletionAnswers(deletion: row.deletion))
            return (row.deletion(answers), row.decidedAt)
        }
        guard let (deletion, decidedAt) = found else { throw Problem.notFound }
        guard deletion.state != .refused else {
            throw IdentityError.deletionRefused(
                deletion.obstacles, orders: deletion.orders, owed: deletion.owed)
        }
        return try .json(.ok, DeletionView(deletion, decidedAt: decidedAt))
    }

    /// The outcome for the person who asked and has no session any more. Only that person knows the id, and only the
    /// state is shown.
    private func outcome(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let id = try context.uuid("deletion")
        guard let row = try await parts.pool.first(FindDeletion(deletion: id)) else { throw Problem.notFound }
        return try .json(.ok, DeletionView(row.deletion([]), decidedAt: row.decidedAt))
    }
}

/// A deletion as shown to the owner.
struct DeletionView: Encodable, Sendable {
    let deletion: String
    /// `asked`, `refused` or `granted`.
    let state: String
    let askedAt: Date
    let decidedAt: Date?

    init(_ deletion: Deletion, decidedAt: Date?) {
        self.deletion = deletion.id.text
        state = deletion.state.rawValue
        askedAt = deletion.askedAt
        self.decidedAt = decidedAt
    }
}
