import AsyncHTTPClient
import Contracts
import Mail
import ServiceKit

/// The keys of those who take mails and SMS.
enum DeliveryConfiguration {
    static let keys: [AnyConfigurationKey] = [
        mailURL.erased, mailUser.erased, mailPassword.erased, mailAuthority.erased, mailFrom.erased,
        mailReplyTo.erased, smsURL.erased, smsAccount.erased, smsToken.erased, smsSender.erased,
    ]

    static let mailURL = ConfigurationKey<String?>(
        "deliveries.mail.url",
        "The server that takes mails: smtp://host:587, where TLS begins with STARTTLS, or smtps://host:465. Without one "
            + "mails wait.",
        range: "smtp: or smtps:, without user and password",
        isAllowed: { $0.map { MailServer(url: $0) != nil } ?? true })
    static let mailUser = ConfigurationKey<String?>(
        "deliveries.mail.user", "The user at that server, if it asks for one.")
    static let mailPassword = ConfigurationKey<Redacted<String>?>(
        "deliveries.mail.password", "The user's password.")
    static let mailAuthority = ConfigurationKey<String?>(
        "deliveries.mail.authority.file",
        "The only authorities that may have signed that server's certificate (PEM); without it the system's.")
    static let mailFrom = ConfigurationKey<String>(
        "deliveries.mail.from", "Who mails come from: an address, or Name <address>.",
        default: "Serai <serai@example.com>", range: "a mail address",
        isAllowed: { MailAddress(written: $0) != nil })
    static let mailReplyTo = ConfigurationKey<String?>(
        "deliveries.mail.reply.to", "Whom an answer to a mail goes to, if not to its sender.",
        range: "a mail address", isAllowed: { $0.map { MailAddress(written: $0) != nil } ?? true })

    static let smsURL = ConfigurationKey<String?>(
        "deliveries.sms.url",
        "The provider that takes SMS, in the form of Twilio's API: https://api.twilio.com. Without one SMS wait.")
    static let smsAccount = ConfigurationKey<String>(
        "deliveries.sms.account", "The account there (AC…).", default: "",
        range: "letters and digits", isAllowed: { $0.utf8.allSatisfy(isAlphanumeric) })
    static let smsToken = ConfigurationKey<Redacted<String>?>("deliveries.sms.token", "The account's secret.")
    static let smsSender = ConfigurationKey<String>(
        "deliveries.sms.from",
        "Who SMS come from: a number, a name that the provider knows, or the id of a messaging service (MG…).",
        default: "Serai")

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}

/// The gateways that are set up. Deliveries of a channel without one wait.
struct DeliveryGateways: Sendable {
    let byChannel: [DeliveryRequested.Channel: any DeliveryGateway]
    private let mail: MailSender?
    private let client: HTTPClient

    init(_ configuration: ServiceConfiguration) throws {
        let mail = try Self.mail(configuration)
        let client = DeliveryClient.make()
        do {
            var byChannel: [DeliveryRequested.Channel: any DeliveryGateway] = [:]
            byChannel[.mail] = mail
            byChannel[.sms] = try Self.sms(configuration, client)
            (self.byChannel, self.mail, self.client) = (byChannel, mail?.sender, client)
        } catch {
            // try?: a client must be ended, and the setting is what is told.
            try? client.syncShutdown()
            throw error
        }
    }

    func close() async {
        await mail?.close()
        // try?: the process ends; what the client still holds ends with it.
        try? await client.shutdown()
    }

    private static func mail(_ configuration: ServiceConfiguration) throws -> MailGateway? {
        guard let url = try configuration[DeliveryConfiguration.mailURL] else { return nil }
        let server = MailServer(
            url: url, user: try configuration[DeliveryConfiguration.mailUser],
            password: try configuration[DeliveryConfiguration.mailPassword]?.revealed,
            authorityFile: try configuration[DeliveryConfiguration.mailAuthority])
        let from = MailAddress(written: try configuration[DeliveryConfiguration.mailFrom])
        guard let server, let from else { return nil }
        let replyTo = try configuration[DeliveryConfiguration.mailReplyTo].flatMap { MailAddress(written: $0) }
        return MailGateway(sender: MailSender(server), from: from, replyTo: replyTo)
    }

    private static func sms(_ configuration: ServiceConfiguration, _ client: HTTPClient) throws -> SMSGateway? {
        guard let url = try configuration[DeliveryConfiguration.smsURL] else { return nil }
        return SMSGateway(
            client: client, url: url, account: try configuration[DeliveryConfiguration.smsAccount],
            token: try configuration[DeliveryConfiguration.smsToken] ?? Redacted(""),
            sender: try configuration[DeliveryConfiguration.smsSender])
    }
}
