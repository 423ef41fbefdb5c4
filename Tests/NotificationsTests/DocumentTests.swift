import Foundation
import Hummingbird
import LiveMarkets
import Logging
import PollThread
import Postgres
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("The OpenAPI document")
struct DocumentTests {
    @Test("the document names every route of the service and no other")
    func routes() async throws {
        let thread = PollThread(name: "document")
        defer { thread.stop() }
        let pool = PostgresPool(
            PostgresPool.Configuration(PostgresConfiguration(dsn: "postgresql://nobody@127.0.0.1:1/none")),
            thread: thread, logger: TestThreads.logger)
        let secret = Redacted(String(repeating: "k", count: 32))
        let list = ListInbox(
            pool: pool, texts: InboxTexts(catalogue: try .common()), sealer: CursorSealer(secret: secret))
        let router = Router(context: SeraiRequestContext.self)
        router.addOpenAPI(service: NotificationsService.name, document: NotificationsService.openAPI)
        let routes = ServiceRoutes(router, service: NotificationsService.name)
        InboxRoutes(pool: pool, list: list, idempotency: IdempotencyStore(pool: pool, secret: secret))
            .add(to: routes.signedIn)
        StreamRoute(hub: StreamHub(), pool: pool).add(to: routes.signedIn)
        let clock = { @Sendable in Date() }
        let (markets, hub) = (LiveMarkets(pool: pool, logger: TestThreads.logger), StreamHub())
        let (idempotency, cursors) = (IdempotencyStore(pool: pool, secret: secret), CursorSealer(secret: secret))
        ConversationRoutes(
            pool: pool, markets: markets, hub: hub, idempotency: idempotency, cursors: cursors,
            metrics: PrometheusRegistry(), clock: clock
        ).add(to: routes)
        CallRoutes(
            pool: pool, start: StartCall(move: MoveCall(hub: hub, markets: markets), ringSeconds: 45),
            relay: CallRelay(urls: [], secret: nil), metrics: PrometheusRegistry(), clock: clock
        ).add(to: routes)
        InquiryRoutes(
            pool: pool, send: SendMessage(hub: hub, markets: markets), idempotency: idempotency, cursors: cursors,
            metrics: PrometheusRegistry(), clock: clock
        ).add(to: routes)
        DeskRoutes(pool: pool, hub: hub, idempotency: idempotency, cursors: cursors, clock: clock)
            .add(to: routes.signedIn)
        AdminInboxRoutes(pool: pool, hub: hub, catalogue: try .common(), cursors: cursors, clock: clock)
            .add(to: routes.signedIn)
        WaitingTalkRoutes(pool: pool).add(to: routes.signedIn)
        CannedAnswerRoutes(pool: pool, markets: markets, idempotency: idempotency, clock: clock)
            .add(to: routes.signedIn)
        GeneralNoticeRoutes(pool: pool, markets: markets, idempotency: idempotency, cursors: cursors, clock: clock)
            .add(to: routes.signedIn)
        ChoiceRoutes(pool: pool).add(to: routes.signedIn)
        UnsubscribeRoute(pool: pool, unsubscribing: MailUnsubscribing(publicURL: nil, secret: secret)).add(to: router)
        DeviceRoutes(
            pool: pool, address: OutgoingAddress(allowsPrivate: false), seal: DeliverySeal(secret: secret),
            pushKey: nil,
            kinds: Set(DeviceAddress.Kind.allCases), clock: clock
        ).add(to: routes.signedIn)
        let document = try OpenAPIDocument(yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
        #expect(document.faults.isEmpty)
        let operating = ServiceRoutes(router, service: NotificationsService.name)
        Feature.operating(
            NotificationsService.self, pool: pool, cursors: CursorSealer(secret: secret), clock: { Date() }
        ).routes(operating)
        // Webhooks have a test of their own.
        #expect(
            document.operations.filter { !$0.contains("/webhooks") }
                == Set(router.routes.map { "\($0.method.rawValue) \($0.path)" }))
        await pool.close()
    }

    @Test(
        "P9: each list of people and each look at what others said is told to the audit log by a path of the document")
    func recordedReads() throws {
        let document = try OpenAPIDocument(yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
        for path in NotificationsService.recordedReads.keys {
            #expect(document.operations.contains("GET \(path)"), "\(path)")
        }
    }

    @Test("the document names every topic of the inbox")
    func topics() {
        let text = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
        for topic in InboxTopic.allCases { #expect(text.contains("- \(topic.rawValue)\n"), "\(topic)") }
    }
}
