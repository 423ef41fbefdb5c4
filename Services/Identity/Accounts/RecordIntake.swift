import Foundation
import Messaging
import Postgres

/// What somebody brings with a role, checked by the market's rules (I1, I7).
struct RoleIntake: Sendable, Equatable {
    /// Among the details: who comes along with a customer who is too young to be alone.
    static let adult = "accompaniedBy"
    /// Among a driver's details: the class of the vehicle.
    static let vehicle = "vehicleClass"

    /// Nil where it was not asked for, or was known.
    var birthDate: CalendarDate?
    /// What was typed in, by its name.
    var details: [String: String] = [:]
    /// The version of the terms that was accepted.
    var terms: String?
}

/// Keeps what a role was taken with.
struct RecordIntake: Sendable {
    let cipher: PersonalDataCipher

    func callAsFunction(
        _ intake: RoleIntake, of account: UUID, for role: Role, at now: Date, in transaction: PostgresTransaction
    ) throws {
        if let day = intake.birthDate {
            transaction.send(
                SetBirthDate(account: account, sealed: try cipher.seal(day.text, .birthDate, of: account)))
        }
        if let terms = intake.terms {
            transaction.send(PutAcceptedTerms(account: account, market: role.market, version: terms, now: now))
        }
        guard !intake.details.isEmpty else { return }
        try details(intake.details, of: account, for: role, at: now, in: transaction)
    }

    func details(
        _ details: [String: String], of account: UUID, for role: Role, at now: Date,
        in transaction: PostgresTransaction
    ) throws {
        let id = UUID.timeOrdered()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        transaction.send(
            PutRoleDetails(
                id: id, account: account, market: role.market, role: role.kind,
                sealed: try cipher.seal(bytes: Array(try encoder.encode(details)), .details, of: id), now: now))
        transaction.send(SetVehicle(account: account, role: role, vehicle: details[RoleIntake.vehicle]))
    }

    func open(_ row: FindRoleDetails.Row?) throws -> [String: String] {
        guard let row else { return [:] }
        let json = try cipher.open(bytes: row.sealed, .details, of: row.id)
        return try JSONDecoder().decode([String: String].self, from: Data(json))
    }
}
