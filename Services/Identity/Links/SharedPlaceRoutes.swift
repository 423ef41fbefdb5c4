import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes of the place that friends see (I10): shown or hidden by its owner, moved while the owner moves, until its end.
struct SharedPlaceRoutes: Sendable {
    private static let path = "identity/v1/accounts/me/shared-place"

    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("\(Self.path)", context: AuthenticatedContext.self)
            .get(use: show)
            .put(use: share)
            .delete(use: hide)
        router.group("\(Self.path)/position")
            .add(middleware: parts.limits.moving)
            .group(context: AuthenticatedContext.self)
            .post(use: move)
    }

    private func show(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let account = context.caller.accountID
        let row = try await parts.pool.first(FindOwnSharedPlace(account: account, now: parts.clock()))
        let view = try row.flatMap { row in
            SharedPlace(try parts.cipher.open(row.place, .sharedPlace, of: account)).map {
                OwnSharedPlaceView(
                    place: SharedPlaceView($0, sharedAt: row.sharedAt, expiresAt: row.expiresAt),
                    visible: row.isVisible)
            }
        }
        return try .json(.ok, view ?? OwnSharedPlaceView(place: nil, visible: nil))
    }

    /// Shares a place in place of the previous one, or keeps it to oneself. It is there until its end, and deleted then.
    private func share(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        let position = form.position()
        let minutes = form.integer("minutes", in: SharedPlace.minutes)
        let isVisible = form.bool("visible", required: false) ?? true
        guard let position, let minutes, form.isValid else { throw form.problem }
        let account = context.caller.accountID
        let place = SharedPlace(latitude: position.latitude, longitude: position.longitude)
        let sealed = try parts.cipher.seal(place.text, .sharedPlace, of: account)
        let (now, end) = try await parts.pool.withTransaction { transaction in
            if !isVisible { TakeBackPlace.ask(of: account, at: parts.clock(), in: transaction) }
            _ = try await Accounts.lock(account, in: transaction)
            // After the lock: what was told before it is older.
            let now = parts.clock()
            let end = now.addingTimeInterval(Double(minutes) * 60)
            transaction.send(
                PutSharedPlace(account: account, place: sealed, isVisible: isVisible, now: now, expiresAt: end))
            if !isVisible { transaction.send(ForgetStrays(of: account)) }
            transaction.set(Deadline(kind: SharedPlace.deadline, subject: account.text, dueAt: end))
            return (now, end)
        }
        if isVisible { _ = parts.livePlaces.put(PlaceBuffer.Move(place: place, at: now), of: account) }
        return try .json(.ok, SharedPlaceView(place, sharedAt: now, expiresAt: end))
    }

    /// Moves the shared place. Where none is shared any more, nothing is kept of it.
    private func move(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let position = form.position(), form.isValid else { throw form.problem }
        let place = SharedPlace(latitude: position.latitude, longitude: position.longitude)
        let move = PlaceBuffer.Move(place: place, at: parts.clock())
        guard parts.livePlaces.put(move, of: context.caller.accountID) else { throw Problem.unavailable }
        return Response(status: .accepted)
    }

    private func hide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let account = context.caller.accountID
        try await parts.pool.withTransaction { transaction in
            TakeBackPlace.ask(of: account, at: parts.clock(), in: transaction)
            _ = try await Accounts.lock(account, in: transaction)
            transaction.send(DeleteSharedPlace(account: account))
            transaction.send(ForgetStrays(of: account))
            transaction.clearDeadline(kind: SharedPlace.deadline, subject: account.text)
        }
        return Response(status: .noContent)
    }
}

/// The place that one shares now, as shown to oneself.
struct OwnSharedPlaceView: Encodable, Sendable {
    /// Nil when one shares none.
    let place: SharedPlaceView?
    /// Whether friends see it; nil with no place.
    let visible: Bool?
}
