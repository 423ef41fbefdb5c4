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

        var name: String {
            switch self {
            case .confirmEmail: "confirm-email"
            case .confirmMobile: "confirm-mobile"
            case .resetPassword: "reset-password"
            case .passwordChanged: "password-changed"
            case .accountDeleted: "account-deleted"
            case .inactiveAccount: "inactive-account"
            case .invitation: "invitation"
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
            channel = .mail
            to = try cipher.open(contact.email, .email, of: account.id)
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
        case .invitation(let token): ["name": account.name.text, "link": "\(webURL)/password#token=\(token)"]
        case .inactiveAccount(let date):
            ["name": account.name.text, "date": String(Timestamp.text(date).prefix(10)), "link": webURL]
        case .passwordChanged, .accountDeleted: ["name": account.name.text]
        }
    }
}
