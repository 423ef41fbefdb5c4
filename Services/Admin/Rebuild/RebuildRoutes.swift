import Foundation
import Hummingbird
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle

extension AdminRoutes {
    /// `GET rebuild`: the last one, and how far it is.
    @Sendable func rebuild(_ request: Request, _ context: AuthenticatedContext) async throws -> LastRebuildView {
        try context.caller.require("admin", in: "*")
        return LastRebuildView(last: try await pool.first(FindLastRebuild()).map(RebuildView.init))
    }

    /// `POST rebuild`: runs in the background, one at a time.
    @Sendable func beginRebuild(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try context.caller.require("admin", in: "*")
        let form = try await request.form(context: context)
        let names = RebuildReadModels.Part.allCases.map(\.rawValue)
        let chosen = form.strings("parts", count: 1...names.count, length: 1...20, required: false)
        if let chosen, !Set(names).isSuperset(of: chosen) {
            form.reject("parts", "not-a-choice", ["choices": names.joined(separator: ", ")])
        }
        guard form.isValid else { throw form.problem }
        let parts = RebuildReadModels.Part.allCases.filter { chosen?.contains($0.rawValue) ?? true }
        let (admin, now) = (context.caller.accountID, clock())
        let run = try await pool.withTransaction { transaction in
            let begin = BeginRebuild(id: .timeOrdered(), parts: parts, by: admin, at: now)
            guard let run = try await transaction.first(begin) else {
                throw Problem("rebuild-running", status: .conflict)
            }
            transaction.send(
                InsertAudit(
                    AuditEntry(
                        id: .timeOrdered(), at: now, market: "*", service: AdminService.name,
                        action: "read-models.rebuilt", account: admin, subject: run.id.text, before: nil,
                        after: try AuditEntry.values(["parts": parts.map(\.rawValue).joined(separator: ", ")]))))
            return run
        }
        return try .json(.accepted, RebuildView(run))
    }
}

struct LastRebuildView: ResponseEncodable, Sendable {
    let last: RebuildView?
}

struct RebuildView: Encodable, Sendable {
    let id: String
    let parts: [String]
    let startedBy: String
    let startedAt: Date
    /// `doubting`, `telling`, `done`, `incomplete`
    let state: String
    /// Rows that have to be told again, known when all are doubted, and those of them that still wait.
    let rows: Int
    let left: Int
    let endedAt: Date?

    init(_ run: RebuildRun) {
        id = run.id.text
        parts = run.parts.map(\.rawValue)
        startedBy = run.startedBy.text
        startedAt = run.startedAt
        state =
            if run.endedAt != nil { run.left == 0 ? "done" : "incomplete" } else {
                run.askedAt == nil ? "doubting" : "telling"
            }
        rows = run.rows
        left = run.left
        endedAt = run.endedAt
    }
}

/// Does the steps of a rebuild. Any number of processes may run it.
struct RebuildWorker: Service {
    static let interval: Duration = .seconds(1)

    let pool: PostgresPool
    let clock: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await repeatedly(every: Self.interval, logger: logger, orLog: "a rebuild waits") {
            while try await RebuildRun.step(at: clock(), in: pool), !Task.isCancelled {}
        }
    }
}

extension Feature {
    static func rebuild(_ routes: AdminRoutes) -> Feature {
        Feature(
            "rebuild",
            routes: {
                $0.signedIn.get("rebuild", use: routes.rebuild)
                $0.signedIn.post("rebuild", use: routes.beginRebuild)
            },
            working: [
                ServiceComponent(
                    "rebuild", stage: .background,
                    RebuildWorker(pool: routes.pool, clock: routes.clock, logger: routes.logger))
            ])
    }
}
