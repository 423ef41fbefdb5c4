import Foundation
import Messaging
import Metrics
import Postgres
import ServiceKit

/// The limits of SMS within 24 hours: to one number, to the numbers of one calling code, and in all. Every SMS that
/// identity requests is counted here, those of registrations too, and nobody else requests any. A tenth of what a calling code and
/// a day have is kept for what the law or the money needs, so that who earns by codes cannot use it up. Concurrent transactions do not see each other's
/// counts, so a few more may be sent.
struct SMSBudget: Sendable {
    static let seconds: Double = 86_400

    struct Limits: Sendable, Hashable {
        let perNumber: Int
        let perCountry: Int
        let perDay: Int

        /// For what is not needed: without the tenth that is kept.
        var ordinary: Limits {
            Limits(perNumber: perNumber, perCountry: perCountry - perCountry / 10, perDay: perDay - perDay / 10)
        }
    }

    let limits: Limits
    let cipher: PersonalDataCipher

    /// Counts an SMS that is to be sent.
    ///
    /// - Parameters:
    ///   - number: in E.164 form.
    ///   - isNeeded: whether the law or the money needs that it is told.
    /// - Returns: false when a limit is used up; a metric counts these.
    func take(
        _ number: String, isNeeded: Bool, at now: Date, in transaction: PostgresTransaction
    ) async throws -> Bool {
        let count = count(number, within: isNeeded ? limits : limits.ordinary, at: now)
        if let limit = try await transaction.first(FindUsedSMS(count: count)) ?? nil {
            Self.tell(limit)
            return false
        }
        transaction.send(
            InsertSentSMS(id: .timeOrdered(), numberHash: count.numberHash, country: count.country, now: now))
        return true
    }

    /// Checks the limits without counting, for a request whose caller waits for the SMS and is told.
    ///
    /// - Throws: ``IdentityError/smsUsedUp(isOfNumber:)``.
    func check(_ number: String, at now: Date, in transaction: PostgresTransaction) async throws {
        guard
            let limit = try await transaction.first(FindUsedSMS(count: count(number, within: limits.ordinary, at: now)))
                ?? nil
        else { return }
        Self.tell(limit)
        throw IdentityError.smsUsedUp(isOfNumber: limit == "number")
    }

    private func count(_ number: String, within limits: Limits, at now: Date) -> SMSCount {
        SMSCount(
            numberHash: cipher.hash(number, for: .mobile), country: PhoneNumber(known: number)?.callingCode ?? "",
            limits: limits, since: now.addingTimeInterval(-Self.seconds))
    }

    private static func tell(_ limit: String) {
        Counter(label: "identity.sms.refused", dimensions: [("limit", limit)]).increment()
    }
}
