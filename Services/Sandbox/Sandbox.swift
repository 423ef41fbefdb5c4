import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

@main
struct Sandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract:
            "Plays the outside world for local runs and tests: a payment provider in Stripe's form, Nafath, a mail server and "
            + "a sink.",
        discussion: """
            Everything is in memory. Without the flags the keys are taken from SERAI_SANDBOX_API_KEY,
            SERAI_SANDBOX_WEBHOOK_SECRET, SERAI_SANDBOX_NAFATH_SECRET, SERAI_SANDBOX_MAIL_PASSWORD and
            SERAI_SANDBOX_SMS_TOKEN, so that they need not be visible to others.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8090

    @Option(help: "The port of the mail server; 0 takes a free one.")
    var mailPort = 0

    @Option(help: "The file that the mail server's certificate is written to, for those who are to trust it.")
    var mailCertificate: String?

    @Option(help: "Where the payment provider sends its events.")
    var webhookURL: String?

    @Option(help: "What the events are signed with.")
    var webhookSecret: String?

    @Option(help: "How often each event is sent.")
    var webhookCopies = 1

    @Option(help: "What callers of the payment provider authenticate with.")
    var apiKey: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is between 0 and 65535") }
        guard (0...65_535).contains(mailPort) else { throw ValidationError("--mail-port is between 0 and 65535") }
        guard (1...100).contains(webhookCopies) else { throw ValidationError("--webhook-copies is between 1 and 100") }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        var settings = SandboxSettings()
        settings.host = host
        settings.port = port
        settings.webhookURL = webhookURL
        settings.webhookCopies = webhookCopies
        settings.apiKey = apiKey ?? environment["SERAI_SANDBOX_API_KEY"] ?? settings.apiKey
        settings.webhookSecret =
            webhookSecret ?? environment["SERAI_SANDBOX_WEBHOOK_SECRET"] ?? settings.webhookSecret
        settings.nafathClient.secret = environment["SERAI_SANDBOX_NAFATH_SECRET"] ?? settings.nafathClient.secret
        settings.mailPort = mailPort
        settings.mailCertificateFile = mailCertificate
        settings.mailPassword = environment["SERAI_SANDBOX_MAIL_PASSWORD"] ?? settings.mailPassword
        settings.smsToken = environment["SERAI_SANDBOX_SMS_TOKEN"] ?? settings.smsToken
        let logger = Logger(label: "sandbox") { StreamLogHandler.standardError(label: $0) }
        let server = SandboxServer(settings, logger: logger)
        try await ServiceGroup(
            configuration: .init(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        ).run()
    }
}
