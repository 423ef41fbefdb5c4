import Foundation
import Messaging
import Metrics
import Postgres
import ServiceKit

/// How many SMS are sent within 24 hours: to one number, to the numbers of one country, in all. Every SMS that identity asks for
/// is counted here, a registration's too. Counted before each other's commits, a few more may go out at once.
struct SMSBudget: Sendable {
    static let seconds: Double = 86_400

    struct Limits: Sendable, Hashable {
        let perNumber: Int
        let perCountry: Int
        let perDay: Int
    }

    let limits: Limits
    let cipher: PersonalDataCipher

    /// Counts an SMS that is asked for.
    ///
    /// - Parameter number: E.164.
    /// - Returns: false where nothing is left; a figure tells of it.
    func take(_ number: String, at now: Date, in transaction: PostgresTransaction) async throws -> Bool {
        let count = count(number, at: now)
        if let limit = try await transaction.first(FindUsedSMS(count: count)) ?? nil {
            Self.tell(limit)
            return false
        }
        transaction.send(
            InsertSentSMS(id: .timeOrdered(), numberHash: count.numberHash, country: count.country, now: now))
        return true
    }

    /// Asked first where somebody waits for the SMS, who is told then.
    ///
    /// - Throws: ``IdentityError/smsUsedUp(isOfNumber:)``.
    func check(_ number: String, at now: Date, in transaction: PostgresTransaction) async throws {
        guard let limit = try await transaction.first(FindUsedSMS(count: count(number, at: now))) ?? nil else { return }
        Self.tell(limit)
        throw IdentityError.smsUsedUp(isOfNumber: limit == "number")
    }

    private func count(_ number: String, at now: Date) -> SMSCount {
        SMSCount(
            numberHash: cipher.hash(number, for: .mobile), country: PhoneNumber(known: number)?.callingCode ?? "",
            limits: limits, since: now.addingTimeInterval(-Self.seconds))
    }

    private static func tell(_ limit: String) {
        Counter(label: "identity.sms.refused", dimensions: [("limit", limit)]).increment()
    }
}
