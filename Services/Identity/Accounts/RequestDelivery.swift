import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Asks notifications to send a mail or an SMS to an account, in its language, when the transaction commits.
struct RequestDelivery: Sendable {
    enum Text: Sendable {
        case confirmEmail(token: String)
        case confirmMobile(code: String)
        case resetPassword(token: String)
        case passwordChanged
        case accountDeleted
        case inactiveAccount(from: Date)
        case invitation(token: String)
        case confirmNewEmail(token: String)
        case confirmNewMobile(code: String)
        case emailChanged
        case mobileChanged
        /// Another account has proved the contact that this account had.
        case emailTaken
        case mobileTaken
        /// Includes the instructions for preparing that fit the provider's work.
        /// - Parameter needsSubscription: whether nobody sees the provider without one.
        case providerVerified(market: LocalizedText, title: String?, needsSubscription: Bool)
        case providerRejected(market: LocalizedText, reason: String)
        /// Given by an admin. Data that the market still asks for are shown after the login.
        case roleGiven(market: LocalizedText)
        /// Offered by an admin of a market that may not know the account.
        case roleOffered(token: String, market: LocalizedText)
        case documentRejected(market: LocalizedText, paper: LocalizedText, reason: String)
        /// - Parameter on: the last day on which it holds.
        case documentExpiring(market: LocalizedText, paper: LocalizedText, on: String)
        case documentLapsed(market: LocalizedText, paper: LocalizedText, on: String)
        /// For an owner who has not logged in for a month.
        case loginReminder
        case nafathLinked
        case nafathRemoved
        /// For a person whose account was made in a market whose people sign in with Nafath.
        case nafathInvitation
        /// - Parameter name: nil when the device does not name itself.
        case newDevice(_ name: String?, at: Date)
        case secondFactorAdded
        case secondFactorRemoved
        case recoveryCodeUsed
        /// Many wrong codes: the person who tries them knows the password.
        case secondFactorGuessed
        case subscriptionExpired(market: LocalizedText)
        /// A key acts for the account until it is revoked, also after another password.
        case keyMade(_ name: String)

        var name: String {
            switch self {
            case .confirmEmail: "confirm-email"
            case .confirmMobile: "confirm-mobile"
            case .resetPassword: "reset-password"
            case .passwordChanged: "password-changed"
            case .accountDeleted: "account-deleted"
            case .inactiveAccount: "inactive-account"
            case .invitation: "invitation"
            case .confirmNewEmail: "confirm-new-email"
            case .confirmNewMobile: "confirm-new-mobile"
            case .emailChanged: "email-changed"
            case .mobileChanged: "mobile-changed"
            case .emailTaken: "email-taken"
            case .mobileTaken: "mobile-taken"
            case .providerVerified(_, let title?, _) where Self.preparedTitles.contains(title):
                "provider-verified-\(title)"
            case .providerVerified(_, _, true): "provider-verified-subscribed"
            case .providerVerified: "provider-verified"
            case .providerRejected: "provider-rejected"
            case .roleGiven: "role-given"
            case .roleOffered: "role-offered"
            case .documentRejected: "document-rejected"
            case .documentExpiring: "document-expiring"
            case .documentLapsed: "document-lapsed"
            case .loginReminder: "login-reminder"
            case .nafathLinked: "nafath-linked"
            case .nafathRemoved: "nafath-removed"
            case .nafathInvitation: "nafath-invitation"
            case .newDevice: "new-device"
            case .secondFactorAdded: "second-factor-added"
            case .secondFactorRemoved: "second-factor-removed"
            case .recoveryCodeUsed: "recovery-code-used"
            case .secondFactorGuessed: "second-factor-guessed"
            case .subscriptionExpired: "subscription-expired"
            case .keyMade: "key-made"
            }
        }

        /// Titles whose work is prepared in another way than that of those who set services and prices.
        static let preparedTitles: Set = ["driver", "restaurant", "care-partner", "carrier"]

        var channel: DeliveryRequested.Channel {
            switch self {
            case .confirmMobile, .confirmNewMobile, .subscriptionExpired, .emailTaken: .sms
            default: .mail
            }
        }

        /// Whether the law or the money needs that it is told, however many codes others have asked for.
        var isNeeded: Bool {
            switch self {
            case .accountDeleted, .inactiveAccount, .documentLapsed, .emailTaken, .subscriptionExpired: true
            default: false
            }
        }

        /// Whether the text also exists as an SMS.
        fileprivate var goesBySMS: Bool {
            switch self {
            case .resetPassword, .accountDeleted, .inactiveAccount, .loginReminder, .providerVerified,
                .providerRejected, .roleGiven, .documentRejected, .documentExpiring, .documentLapsed:
                true
            default: false
            }
        }
    }

    let cipher: PersonalDataCipher
    let seal: DeliverySeal
    /// The address of the web app that links open.
    let webURL: String
    let budget: SMSBudget
    /// Whether a market shows only providers with a subscription (C8).
    let needsSubscription: @Sendable (_ market: String) -> Bool

    /// - Parameter address: the destination, when it is not the account's own address or number.
    func callAsFunction(
        _ text: Text, to account: Account, reaching address: String? = nil, until end: Date, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        var way = address.map { Way(channel: text.channel, address: $0) }
        if way == nil, let contact = try await transaction.first(FindContact(account: account.id)) {
            way = try self.way(text, contact, of: account.id)
        }
        // Without a contact the message is dropped.
        guard let way else { return }
        let recipient = Recipient(account: account.id, name: account.name, language: account.language)
        try await send(text, to: recipient, by: way, until: end, at: now, in: transaction)
    }

    /// The channel and address: a text that must arrive goes by SMS to an account without an e-mail address, and the link to
    /// a new password where the number alone is proved, since the address may be a stranger's.
    private func way(_ text: Text, _ contact: FindContact.Row, of account: UUID) throws -> Way? {
        var isByMail = text.channel == .mail
        if case .resetPassword = text, contact.provesByMobileAlone { isByMail = false }
        if isByMail, let email = contact.email {
            return Way(channel: .mail, address: try cipher.open(email, .email, of: account))
        }
        guard text.channel == .sms || text.goesBySMS, let mobile = contact.mobile else { return nil }
        return Way(channel: .sms, address: try cipher.open(mobile, .mobile, of: account))
    }

    struct Way: Sendable {
        let channel: DeliveryRequested.Channel
        let address: String
    }

    /// The recipient, where the rest of the account is not needed.
    struct Recipient: Sendable {
        let account: UUID
        let name: PersonName
        let language: Account.Language
    }

    /// Sends the text. An SMS beyond the budget is not sent.
    func send(
        _ text: Text, to recipient: Recipient, by way: Way, until end: Date, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        if way.channel == .sms,
            !(try await budget.take(way.address, isNeeded: text.isNeeded, at: now, in: transaction))
        {
            return
        }
        let id = UUID.timeOrdered()
        let sealed = try seal.seal(.init(to: way.address, arguments: arguments(text, recipient)), delivery: id)
        try transaction.publish(
            DeliveryRequested(
                delivery: id, account: recipient.account, channel: way.channel, text: text.name,
                language: recipient.language.rawValue, sealed: sealed, expiresAt: end, at: now))
    }

    /// The token stands behind the `#`: browsers do not send that part, so it appears in no server's log.
    private func arguments(_ text: Text, _ recipient: Recipient) -> [String: String] {
        let (name, language) = (recipient.name, recipient.language.rawValue)
        return switch text {
        case .confirmEmail(let token): ["name": name.text, "link": "\(webURL)/confirm#token=\(token)"]
        case .resetPassword(let token): ["name": name.text, "link": "\(webURL)/password#token=\(token)"]
        case .invitation(let token): ["name": name.text, "link": "\(webURL)/password#token=\(token)"]
        case .inactiveAccount(let date):
            ["name": name.text, "date": String(Timestamp.text(date).prefix(10)), "link": webURL]
        case .confirmNewEmail(let token): ["name": name.text, "link": "\(webURL)/contact#token=\(token)"]
        case .confirmMobile(let code), .confirmNewMobile(let code): ["code": code]
        case .passwordChanged, .accountDeleted, .emailChanged, .mobileChanged, .nafathLinked, .nafathRemoved,
            .secondFactorAdded, .secondFactorRemoved, .recoveryCodeUsed:
            ["name": name.text]
        case .newDevice(let device, let time):
            [
                "name": name.text, "device": device ?? "—", "time": Timestamp.text(time),
                "link": "\(webURL)/me",
            ]
        case .emailTaken: [:]
        case .mobileTaken, .secondFactorGuessed: ["name": name.text, "link": "\(webURL)/me"]
        case .keyMade(let key): ["name": name.text, "key": key, "link": "\(webURL)/keys"]
        case .subscriptionExpired(let market): ["market": market.text(in: language)]
        case .providerVerified(let market, _, _):
            ["name": name.text, "market": market.text(in: language), "link": webURL]
        case .roleGiven(let market):
            ["name": name.text, "market": market.text(in: language), "link": "\(webURL)/login"]
        case .roleOffered(let token, let market):
            ["name": name.text, "market": market.text(in: language), "link": "\(webURL)/role#token=\(token)"]
        case .providerRejected(let market, let reason):
            ["name": name.text, "market": market.text(in: language), "reason": reason]
        case .documentRejected(let market, let paper, let reason):
            [
                "name": name.text, "market": market.text(in: language), "paper": paper.text(in: language),
                "reason": reason,
            ]
        case .documentExpiring(let market, let paper, let day), .documentLapsed(let market, let paper, let day):
            [
                "name": name.text, "market": market.text(in: language), "paper": paper.text(in: language), "day": day,
                "link": webURL,
            ]
        case .loginReminder, .nafathInvitation: ["name": name.text, "link": "\(webURL)/login"]
        }
    }
}
