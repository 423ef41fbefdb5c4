import Contracts
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Reminds owners who have not logged in for a month (I3), by mail, or by SMS without an address, and only by channels
/// that they accept (I6). The account stays as it is, and there is one reminder until the next login. Any number of
/// processes may run it.
struct RemindOfLogin: Service {
    static let absenceSeconds: Double = 30 * 86_400
    /// A mail that is not sent within a week is dropped.
    static let mailSeconds: Double = 7 * 86_400
    static let batch = 100

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let deliver: RequestDelivery
    let logger: Logger
    let clock: @Sendable () -> Date
    let interval: Duration

    func run() async throws {
        await repeatedly(every: interval, logger: logger, orLog: "reminding failed") {
            while try await remind() == Self.batch {}
        }
    }

    /// - Returns: the number of accounts that were read.
    @discardableResult
    func remind() async throws -> Int {
        let now = clock()
        return try await pool.withTransaction { transaction in
            let before = now.addingTimeInterval(-Self.absenceSeconds)
            let absent = try await transaction.query(LockAbsent(before: before, now: now, limit: Self.batch))
            // Also recorded for accounts banned everywhere, which cannot log in: they get no reminder now or later.
            transaction.send(RecordReminders(accounts: absent.map(\.account), now: now))
            for one in absent where !one.isBanned {
                let recipient = RequestDelivery.Recipient(
                    account: one.account, name: PersonName(stored: one.name),
                    language: Account.Language(rawValue: one.language))
                guard let way = try way(to: one) else { continue }
                try await deliver.send(
                    .loginReminder, to: recipient, by: way, until: now.addingTimeInterval(Self.mailSeconds), at: now,
                    in: transaction)
            }
            return absent.count
        }
    }

    /// Nil when the owner accepts none of the possible channels.
    private func way(to one: LockAbsent.Row) throws -> RequestDelivery.Way? {
        if one.wantsMail, let email = one.email {
            return .init(channel: .mail, address: try cipher.open(email, .email, of: one.account))
        }
        guard one.wantsSMS, let mobile = one.mobile else { return nil }
        return .init(channel: .sms, address: try cipher.open(mobile, .mobile, of: one.account))
    }
}
