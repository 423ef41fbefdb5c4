import Foundation
import Messaging
import Postgres

/// The data that a person brings with a role, checked by the market's rules (I1, I7).
struct RoleIntake: Sendable, Equatable {
    /// The name of the detail that holds the adult who accompanies a minor customer.
    static let adult = "accompaniedBy"
    /// The name of a driver's detail that holds the class of the vehicle.
    static let vehicle = "vehicleClass"

    /// Nil where it was not asked for or already known.
    var birthDate: CalendarDate?
    /// The typed details by name.
    var details: [String: String] = [:]
    /// The accepted version of the terms.
    var terms: String?
}

/// Stores the data that came with a role.
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
