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
        /// How to prepare is in it.
        case providerVerified(market: LocalizedText)
        case providerRejected(market: LocalizedText, reason: String)
        /// To whoever has not logged in for long.
        case loginReminder
        case nafathLinked
        case subscriptionExpired(market: LocalizedText)

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
            case .providerVerified: "provider-verified"
            case .providerRejected: "provider-rejected"
            case .loginReminder: "login-reminder"
            case .nafathLinked: "nafath-linked"
            case .subscriptionExpired: "subscription-expired"
            }
        }

        var channel: DeliveryRequested.Channel {
            switch self {
            case .confirmMobile, .confirmNewMobile, .subscriptionExpired: .sms
            default: .mail
            }
        }
    }

    let cipher: PersonalDataCipher
    let seal: DeliverySeal
    /// Of the web app that the links open.
    let webURL: String

    /// - Parameter address: where it goes to, if not to the account's own address or number.
    func callAsFunction(
        _ text: Text, to account: Account, reaching address: String? = nil, until end: Date, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard let contact = try await transaction.first(FindContact(account: account.id)) else { return }
        let id = UUID.timeOrdered()
        let channel = text.channel
        let to: String
        if let address {
            to = address
        } else if channel == .sms {
            to = try cipher.open(contact.mobile, .mobile, of: account.id)
        } else {
            // Without an address there is nobody to tell.
            guard let email = contact.email else { return }
            to = try cipher.open(email, .email, of: account.id)
        }
        let sealed = try seal.seal(.init(to: to, arguments: arguments(text, account)), delivery: id)
        try transaction.publish(
            DeliveryRequested(
                delivery: id, account: account.id, channel: channel, text: text.name,
                language: account.language.rawValue, sealed: sealed, expiresAt: end, at: now))
    }

    /// A token is behind the `#`: browsers keep that to themselves, so it is in nobody's log.
    private func arguments(_ text: Text, _ account: Account) -> [String: String] {
        switch text {
        case .confirmEmail(let token): ["name": account.name.text, "link": "\(webURL)/confirm#token=\(token)"]
        case .resetPassword(let token): ["name": account.name.text, "link": "\(webURL)/password#token=\(token)"]
        case .invitation(let token): ["name": account.name.text, "link": "\(webURL)/password#token=\(token)"]
        case .inactiveAccount(let date):
            ["name": account.name.text, "date": String(Timestamp.text(date).prefix(10)), "link": webURL]
        case .confirmNewEmail(let token): ["name": account.name.text, "link": "\(webURL)/contact#token=\(token)"]
        case .confirmMobile(let code), .confirmNewMobile(let code): ["code": code]
        case .passwordChanged, .accountDeleted, .emailChanged, .mobileChanged, .nafathLinked:
            ["name": account.name.text]
        case .subscriptionExpired(let market): ["market": market.text(in: account.language.rawValue)]
        case .providerVerified(let market):
            ["name": account.name.text, "market": market.text(in: account.language.rawValue), "link": webURL]
        case .providerRejected(let market, let reason):
            ["name": account.name.text, "market": market.text(in: account.language.rawValue), "reason": reason]
        case .loginReminder: ["name": account.name.text, "link": "\(webURL)/login"]
        }
    }
}
