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
        let (account, now) = (context.caller.accountID, parts.clock())
        let place = SharedPlace(latitude: position.latitude, longitude: position.longitude)
        let end = now.addingTimeInterval(Double(minutes) * 60)
        let sealed = try parts.cipher.seal(place.text, .sharedPlace, of: account)
        try await parts.pool.withTransaction { transaction in
            _ = try await Accounts.lock(account, in: transaction)
            transaction.send(
                PutSharedPlace(account: account, place: sealed, isVisible: isVisible, now: now, expiresAt: end))
            transaction.set(Deadline(kind: SharedPlace.deadline, subject: account.text, dueAt: end))
        }
        _ = parts.livePlaces.put(isVisible ? .moved(place, at: now) : .hidden, of: account)
        return try .json(.ok, SharedPlaceView(place, sharedAt: now, expiresAt: end))
    }

    /// Moves the shared place. Where none is shared any more, nothing is kept of it.
    private func move(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let form = try await request.form(context: context)
        guard let position = form.position(), form.isValid else { throw form.problem }
        let place = SharedPlace(latitude: position.latitude, longitude: position.longitude)
        guard parts.livePlaces.put(.moved(place, at: parts.clock()), of: context.caller.accountID) else {
            throw Problem.unavailable
        }
        return Response(status: .accepted)
    }

    private func hide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let account = context.caller.accountID
        try await parts.pool.withTransaction { transaction in
            transaction.send(DeleteSharedPlace(account: account))
            transaction.clearDeadline(kind: SharedPlace.deadline, subject: account.text)
        }
        _ = parts.livePlaces.put(.hidden, of: account)
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
