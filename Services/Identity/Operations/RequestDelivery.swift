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
        /// To whoever has not logged in for long.
        case loginReminder

        var name: String {
            switch self {
            case .confirmEmail: "confirm-email"
            case .confirmMobile: "confirm-mobile"
            case .resetPassword: "reset-password"
            case .passwordChanged: "password-changed"
            case .loginReminder: "login-reminder"
            }
        }
    }

    let cipher: PersonalDataCipher
    let seal: DeliverySeal
    /// Of the web app that the links open.
    let webURL: String

    func callAsFunction(
        _ text: Text, to account: Account, until end: Date, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let contact = try await transaction.first(FindContact(account: account.id)) else { return }
        let id = UUID.timeOrdered()
        let channel: DeliveryRequested.Channel
        let to: String
        if case .confirmMobile = text {
            channel = .sms
            to = try cipher.open(contact.mobile, .mobile, of: account.id)
        } else {
            // Without an address there is nobody to tell.
            guard let email = contact.email else { return }
            channel = .mail
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
        case .confirmMobile(let code): ["code": code]
        case .passwordChanged: ["name": account.name.text]
        case .loginReminder: ["name": account.name.text, "link": "\(webURL)/login"]
        }
    }
}
