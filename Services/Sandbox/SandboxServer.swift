import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// An in-memory simulation of the outside world: a payment provider in Stripe's form with signed webhooks, an OpenID
/// Connect provider that plays Nafath, a mail server, an SMS provider in Twilio's form, and a sink in which what they take can
/// be read. For local runs and tests; never deployed.
///
/// ```swift
/// try await SandboxServer.withServer { sandbox, url in
///     sandbox.changeWebhooks { $0.url = "http://127.0.0.1:\(port)/wallet/v1/webhooks/stripe" }
/// }
/// ```
final class SandboxServer: Service {
    let settings: SandboxSettings
    private let api: StripeAPI
    private let webhooks: WebhookSender
    private let sink = Sink()
    /// A business's server that is sent webhooks, at ``url()`` + `/sink/webhooks/NAME`.
    let hooks = HookSink()
    /// The services that bring push messages to devices, at ``url()`` + `/sink/web-push/NAME`, `/sink/fcm` and `/sink/apns`.
    let pushes = PushServices()
    /// The OpenID Connect provider, at ``url()`` + `/nafath`.
    let nafath: TestIssuer
    /// What the mail server does wrong.
    let mailFaults = MailFaults()
    /// What the SMS provider answers in place of the usual, by number.
    let smsAnswers = SMSRoutes.Answers()
    private let logger: Logger
    private let listening = ListeningPort()
    private let mailListening = ListeningPort()

    init(_ settings: SandboxSettings = SandboxSettings(), logger: Logger = Logger(label: "sandbox")) {
        self.settings = settings
        self.logger = logger
        webhooks = WebhookSender(
            WebhookSender.Target(
                url: settings.webhookURL, secret: settings.webhookSecret, copies: settings.webhookCopies),
            logger: logger)
        api = StripeAPI(webhooks: webhooks)
        nafath = TestIssuer(client: settings.nafathClient)
    }

    /// Starts a sandbox on a free port and stops it after `body`.
    static func withServer<Result: Sendable>(
        _ settings: SandboxSettings = SandboxSettings(),
        _ body: @Sendable (_ sandbox: SandboxServer, _ url: String) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "sandbox")
        logger.logLevel = .warning
        let server = SandboxServer(settings, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                let result = try await body(server, try await server.url())
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return result
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    /// The server's URL; waits until it listens.
    func url() async throws -> String {
        "http://\(settings.host):\(try await listening.port())"
    }

    /// The mail server's URL; waits until it listens.
    func mailURL() async throws -> String { "smtp://\(settings.host):\(try await mailListening.port())" }

    /// The payment provider's totals by lower-case currency.
    var totals: [String: PaymentTotals] { api.totals }

    /// Hands a card to the payment provider, as the app of its owner does; answers the id of the payment method.
    ///
    /// - Parameter number: of the card; nil if the payment provider refuses it.
    func handOver(_ number: String, month: Int = 12, year: Int = 2039, cvv: String = "737") -> String? {
        api.handOver(
            FormParameters([
                "type": "card", "card[number]": number, "card[exp_month]": "\(month)", "card[exp_year]": "\(year)",
                "card[cvc]": cvv,
            ]))
    }

    /// The number of payment methods that customers have stored at the payment provider.
    var attachedCount: Int { api.attachedCount }
    /// The number of refunds, including failed ones.
    var refundCount: Int { api.refundCount }
    /// The number of the payment provider's customers.
    var customerCount: Int { api.customerCount }

    /// Changes the webhooks' target from the next attempt on.
    func changeWebhooks(_ change: (inout WebhookSender.Target) -> Void) {
        webhooks.change(change)
    }

    var webhookCounts: WebhookSender.Counts { webhooks.counts }

    /// Whether the payment provider answers every request with a 503.
    func setProviderDown(_ isDown: Bool) {
        api.setDown(isDown)
    }

    /// Whether the platform's balance at the payment provider is too low for payouts.
    func setBalanceLow(_ isLow: Bool) { api.setBalanceLow(isLow) }

    /// Opens a dispute by a card's owner and returns its id.
    func dispute(
        _ intent: String, amount: Int? = nil, reason: String = "fraudulent",
        as status: CardDispute.Status = .needsResponse
    ) -> String? { api.dispute(intent, amount, reason: reason, as: status) }

    /// Changes a dispute's status; returns whether it was open.
    func changeDispute(_ id: String, to status: CardDispute.Status) -> Bool { api.changeDispute(id, to: status) }

    /// Refunds a payment as in the payment provider's dashboard; returns whether it was possible.
    func refundOutside(_ intent: String, amount: Int? = nil) -> Bool { api.refundOutside(intent, amount) }

    /// Deletes the payment provider's idempotency keys, as after a day.
    func forgetKeys() { api.forgetKeys() }

    /// The stored messages, oldest first.
    func messages(_ kind: Sink.Kind, to recipient: String? = nil) -> [Sink.Message] {
        sink.messages(kind, to: recipient)
    }

    func run() async throws {
        let router = Router(context: SandboxContext.self)
        StripeRoutes(api: api, key: settings.apiKey, publishableKey: settings.publishableKey).add(to: router)
        RedirectRoutes(api: api).add(to: router)
        SinkRoutes(sink: sink).add(to: router)
        SMSRoutes(sink: sink, answers: smsAnswers, mailFaults: mailFaults, settings: settings).add(to: router)
        hooks.add(to: router)
        PushRoutes(services: pushes).add(to: router)
        PlaceSearchRoutes().add(to: router)
        TileRoutes().add(to: router)
        WeatherRoutes().add(to: router)
        RoutingRoutes().add(to: router)
        ApplePayGatewayRoutes().add(to: router)
        NafathRoutes(issuer: nafath) { [settings, listening] in
            "http://\(settings.host):\(listening.current ?? settings.port)/nafath"
        }.add(to: router)
        ControlRoutes(api: api, webhooks: webhooks).add(to: router)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(settings.host, port: settings.port)),
            onServerRunning: { [listening, logger, api, settings] channel in
                let port = channel.localAddress?.port ?? 0
                api.listen(at: "http://\(settings.host):\(port)")
                logger.notice("listening", metadata: ["port": "\(port)"])
                listening.open(port)
            },
            logger: logger)
        let certificate = try SandboxCertificate(at: Date())
        if let file = settings.mailCertificateFile {
            try Data(certificate.pem.utf8).write(to: URL(filePath: file), options: .atomic)
        }
        let mails = SMTPServer(
            settings: settings, certificate: certificate, faults: mailFaults, sink: sink,
            onListening: { [mailListening] in mailListening.open($0) }, logger: logger)
        defer {
            listening.close()
            mailListening.close()
        }
        try await ServiceGroup(configuration: .init(services: [webhooks, mails, application], logger: logger)).run()
    }
}

/// Lets callers wait until the server listens.
private final class ListeningPort: Sendable {
    private struct State {
        var port: Int?
        var isClosed = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    func open(_ port: Int) {
        end { $0.port = port }
    }

    func close() {
        end { $0.isClosed = true }
    }

    /// Nil before the server listens.
    var current: Int? { state.withLock { $0.port } }

    /// - Throws: `CancellationError` if the server ended or the task was cancelled before it listened.
    func port() async throws -> Int {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.port != nil || state.isClosed { continuation.finish() } else { state.waiting.append(continuation) }
        }
        for await _ in stream {}
        guard let port = state.withLock({ $0.port }) else { throw CancellationError() }
        return port
    }

    private func end(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }
}
