import Contracts
import Foundation
import Postgres
import NIOHTTP1
import Messaging
import Hummingbird
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("The service's OpenAPI document", .timeLimit(.minutes(15)))
struct OpenAPITests {
    private let text = String(decoding: AdminService.openAPI, as: UTF8.self)

    @Test("it describes the routes that there are, and no others")
    func routes() async throws {
        try await TestDatabase.withDatabase { database in
            try await database.withPool { pool async throws in
                let router = Router(context: SeraiRequestContext.self)
                let secret = Redacted(String(repeating: "k", count: 32))
                let routes = AdminRoutes(
                    pool: pool, sealer: CursorSealer(secret: secret),
                    idempotency: IdempotencyStore(pool: pool, secret: secret), clock: { Date() })
                ServiceAssembly<AdminService>.addRoutes(of: AdminService.features(routes), pool: pool, to: router)
                let paths = Set(router.routes.map { "\($0.method) \($0.path)" })
                let document = try OpenAPIDocument(yaml: text)
                #expect(document.operations == paths)
                #expect(document.faults == [])
            }
        }
    }

    @Test("it is served to everybody")
    func served() async throws {
        try await AdminFixture.running { fixture async throws in
            let answer = try await fixture.send(.GET, "/admin/openapi.yaml", as: nil)
            #expect(answer.status == 200)
            #expect(answer.text == text)
        }
    }

    @Test("it names every setting and every state")
    func choices() {
        for key in MarketSettings.Key.allCases { #expect(text.contains("- \(key.rawValue)\n")) }
        for state in OrderSnapshot.State.allCases { #expect(text.contains("- \(state.rawValue)\n")) }
    }

    /// Those that ``RecordAdminAct`` and the audit of reads write by a name of their own.
    private static let named = [
        "setting.changed", "provider.verified", "provider.rejected", "account.banned", "account.unbanned",
        "account.deleted", "admin.granted", "admin.revoked", "support.granted", "support.revoked", "link.confirmed",
        "link.removed", "document.viewed",
        "document.verified", "document.rejected", "trail.viewed", "order.viewed", "list.viewed", "list.exported",
        "inquiry.taken", "inquiry.released", "inquiry.answered", "message-report.closed",
        "notice.made", "notice.changed", "notice.cancelled", "notice.restored",
        "canned-answer.added", "canned-answer.changed", "canned-answer.removed",
        "report.decided", "report.answered", "cash-out.accepted", "cash-out.rejected", "wallet.unfrozen",
        "approval.ended", "payment.refunded", "setting.proposed", "setting.withdrawn", "read-models.rebuilt",
    ]

    @Test("P9, P11: it names every act of the audit log")
    func acts() {
        let acts =
            Self.named + OrderManaged.Act.allCases.map { "order.\($0.rawValue)" }
            + SeriesManaged.Act.allCases.map { "series.\($0.rawValue)" }
            + RackManaged.Act.allCases.map { "rack.\($0.rawValue)" }
            + BikeManaged.Act.allCases.map { "bike.\($0.rawValue)" }
            + RestaurantManaged.Act.allCases.map { "restaurant.\($0.rawValue)" }
            + WalletManaged.Act.allCases.map(\.rawValue)
            + AccountManaged.Act.allCases.map { "account.\($0.rawValue)" }
            + OperatorAct.Kind.allCases.map { "dead-message.\($0.rawValue)" }
            + ChangeCatalogue.Act.allCases.map(\.name) + ChangeContent.Act.allCases.map(\.name)
            + AdminRoutes.feedActs
        let words = Set(text.split { " ,[]\n".contains($0) })
        for act in acts { #expect(words.contains(act[...]), "\(act)") }
    }
}
