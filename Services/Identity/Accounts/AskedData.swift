import Contracts
import Foundation
import Postgres

/// Data that a market asks of everybody who registers, and that an account lacks which an admin made (I13): its owner is
/// asked for it at each login.
enum AskedData: String, Sendable, CaseIterable {
    case birthDate = "birth-date"
    /// A saved place in the market.
    case address
    case billingAddress = "billing-address"

    static func of(
        _ account: Account, _ given: FindGivenData.Row, _ onboarding: (_ market: String) -> Market.Onboarding
    ) -> [AskedData] {
        var asked: Set<AskedData> = []
        for role in account.roles where !role.isStaff && role.state != .rejected {
            let rules = onboarding(role.market)
            let isAged =
                role.kind == .customer
                ? rules.customerAges != nil : role.title.flatMap { rules.providerAges[$0] } != nil
            if isAged, !given.hasBirthDate { asked.insert(.birthDate) }
            if role.kind == .customer, rules.asksAddress, !given.placed.contains(role.market) { asked.insert(.address) }
            if rules.asksBillingAddress(of: role), !given.billed.contains(role.market) { asked.insert(.billingAddress) }
        }
        return allCases.filter(asked.contains)
    }
}

/// Reads which of the data that markets ask for an account has given.
struct FindGivenData: Statement {
    struct Row: Sendable {
        var hasBirthDate = false
        /// The markets with a saved place.
        var placed: [String] = []
        /// The markets with a billing address.
        var billed: [String] = []
    }

    static let sql: SQL = """
        SELECT birth_date IS NOT NULL, ARRAY(SELECT DISTINCT market FROM saved_places WHERE account = $1),
            ARRAY(SELECT market FROM billing_addresses WHERE account = $1)
        FROM accounts WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(hasBirthDate: try row.next(), placed: try row.next(), billed: try row.next())
    }
}
