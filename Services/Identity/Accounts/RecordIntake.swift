import Foundation
import Messaging
import Postgres
import SeraiJSON

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
    /// Nil where it was not asked for or is known.
    var billing: BillingAddress?

    /// The same role with what others are told of the data.
    func told(in role: Role) -> Role {
        var role = role
        role.vehicle = details[Self.vehicle]
        return role
    }
}

/// All that a person brings with a role: the data, and a customer's first saved place.
struct BroughtWithRole: Sendable {
    let intake: RoleIntake
    let place: SavedPlace.Content?
}

/// Stores the data that came with a role.
struct RecordIntake: Sendable {
    let cipher: PersonalDataCipher

    func callAsFunction(
        _ intake: RoleIntake, of account: UUID, for role: Role, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        if let day = intake.birthDate {
            transaction.send(
                SetBirthDate(account: account, sealed: try cipher.seal(day.text, .birthDate, of: account)))
        }
        if let terms = intake.terms {
            transaction.send(PutAcceptedTerms(account: account, market: role.market, version: terms, now: now))
        }
        if let billing = intake.billing {
            try BillingAddresses(cipher: cipher).put(billing, of: account, in: role.market, at: now, transaction)
        }
        guard !intake.details.isEmpty else { return }
        // Details that the provider gave under another title of the market stay.
        let find = FindRoleDetails(account: account, market: role.market, role: role.kind)
        let known = try open(try await transaction.first(find))
        try details(
            intake.details, besides: role.kind == .provider ? known : [:], of: account, for: role, at: now,
            in: transaction)
    }

    /// - Parameters:
    ///   - details: those of the role.
    ///   - others: those of another title of the account in the market, which are kept in the same row.
    func details(
        _ details: [String: String], besides others: [String: String], of account: UUID, for role: Role, at now: Date,
        in transaction: PostgresTransaction
    ) throws {
        let id = UUID.timeOrdered()
        let all = others.merging(details) { _, new in new }
        transaction.send(
            PutRoleDetails(
                id: id, account: account, market: role.market, role: role.kind,
                sealed: try cipher.seal(bytes: try JSON.sorted.encode(all), .details, of: id), now: now))
        transaction.send(
            SetVehicle(
                account: account, role: role, vehicle: details[RoleIntake.vehicle], car: Car(details: details)))
    }

    func open(_ row: FindRoleDetails.Row?) throws -> [String: String] {
        guard let row else { return [:] }
        let json = try cipher.open(bytes: row.sealed, .details, of: row.id)
        return try JSON.stored.decode([String: String].self, json)
    }
}
