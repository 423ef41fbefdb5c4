import Foundation
import HTTPTypes
import Hummingbird
import Postgres
import SeraiJSON
import ServiceKit

/// The route for the caller's own live stream.
struct StreamRoute: Sendable {
    private static let lastEventID = HTTPField.Name("Last-Event-ID")

    let hub: StreamHub
    let pool: PostgresPool

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("stream") { request, context in
            // The body is never read. A chunked one would be wrapped, and the end of a wrapped body cannot be observed.
            guard request.headers[.transferEncoding] == nil else {
                throw Problem("unexpected-body", status: .badRequest)
            }
            let wanted = try Self.wanted(request)
            guard !hub.isClosed else { throw Problem.unavailable }
            let seat = try await seat(for: context)
            let position = try await pool.first(FindStreamPosition(account: context.caller.accountID))
            let session = StreamSession(
                hub: hub, seat: seat, account: context.caller.accountID, session: context.caller.sessionID,
                adminOf: Set(context.caller.roles.filter { ["admin", "support"].contains($0.role) }.map(\.market)),
                start: StreamStart(wanted: wanted, last: position?.last ?? 0, oldestKept: position?.oldestKept),
                language: context.caller.language ?? context.language, expires: context.caller.expires,
                endConnection: context.endConnection)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/event-stream", .cacheControl: "no-store, no-transform",
                    // The connection's input was consumed to detect its end, so it cannot be reused.
                    .connection: "close",
                ],
                body: session.body(of: request))
        }
    }

    /// Takes a seat. Looks up running orders only if a limit is reached that does not apply to them: a refusal costs at
    /// most one look-up, and none if all seats are in use.
    private func seat(for context: AuthenticatedContext) async throws -> StreamSeat {
        let address = context.clientLimitKey
        do {
            do {
                return try hub.takeSeat(from: address)
            } catch {
                guard error != .full, try await hasRunningOrder(context.caller.accountID) else { throw error }
            }
            return try hub.takeSeat(from: address, hasRunningOrder: true)
        } catch is StreamHub.Refusal {
            StreamMetrics.full()
            throw Self.full
        }
    }

    private func hasRunningOrder(_ account: UUID) async throws -> Bool {
        RunningOrders.areAmong(try await pool.query(ListLatestOrderEvents(account: account)))
    }

    /// Random, so that refused clients do not all retry at the same time.
    private static var full: Problem {
        let seconds = Int.random(in: 5...15)
        return Problem(
            "too-many-streams", status: .serviceUnavailable, arguments: ["seconds": String(seconds)],
            extensions: ["retryAfterSeconds": .integer(Int64(seconds))], headers: [.retryAfter: String(seconds)])
    }

    /// The number after which the client resumes. The header precedes the query, because a browser repeats the first
    /// URL.
    private static func wanted(_ request: Request) throws(Problem) -> Int? {
        if let header = lastEventID.flatMap({ request.headers[$0] }), !header.isEmpty {
            guard let number = StreamStart.number(header) else {
                throw Problem("invalid-last-event-id", status: .badRequest)
            }
            return number
        }
        let query = QueryForm(request, ignoring: .unknown)
        guard let text = query["after"].map(TypedText.asciiDigits) else { return nil }
        let number = StreamStart.number(text)
        if number == nil { query.reject("after", "not-a-whole-number") }
        try query.finish()
        return number
    }
}
