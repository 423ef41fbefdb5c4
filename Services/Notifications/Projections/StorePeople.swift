import Contracts
import Foundation
import Postgres

/// Stores the newest version of accounts' languages, of the ways that they have switched off, and of what they are in
/// which market. A deleted account's row has only a version, and no later one follows.
struct StorePeople: Statement {
    static let sql: SQL = """
        WITH stored AS (
            INSERT INTO people AS p (account, language, version, muted)
            SELECT account, language, version, string_to_array(muted, ' ')
            FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[]) AS n (account, language, version, muted)
            ORDER BY account
            ON CONFLICT (account) DO UPDATE
                SET language = EXCLUDED.language, version = EXCLUDED.version, muted = EXCLUDED.muted
            WHERE p.version < EXCLUDED.version
            RETURNING account
        ), \(MarketPerson.storing)
        """

    /// One of each account.
    let people: [AccountSnapshot]

    /// - Parameter heard: may have several versions of an account.
    init(_ heard: [AccountSnapshot]) {
        people = Dictionary(heard.map { ($0.account, $0) }) { $0.version < $1.version ? $1 : $0 }.map(\.value)
    }

    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: people, \.account, \.language, \.version, \.mutedText)
        MarketPerson.bind(people, &bindings)
    }
}

/// What an account is in a market; nothing is kept of admins.
struct MarketPerson: Sendable, Equatable {
    let account: UUID
    let market: String
    let isCustomer: Bool
    let isProvider: Bool
    let title: String?

    static func all(of person: AccountSnapshot) -> [MarketPerson] {
        Dictionary(grouping: person.roles.filter { ["customer", "provider"].contains($0.role) }, by: \.market)
            .map { market, roles in
                MarketPerson(
                    account: person.account, market: market, isCustomer: roles.contains { $0.role == "customer" },
                    isProvider: roles.contains { $0.role == "provider" },
                    title: roles.first { $0.role == "provider" }?.title)
            }
    }

    /// The end of a statement that has stored people and names those as `stored`: what they are in markets follows, in
    /// $5 to $9 (``bind(_:_:)``).
    static let storing: SQL = """
        told AS (
            SELECT m.* FROM unnest($5::uuid[], $6::text[], $7::bool[], $8::bool[], $9::text[])
                AS m (account, market, is_customer, is_provider, title)
            JOIN stored USING (account)
        ), lost AS (
            DELETE FROM market_people AS m USING stored
            WHERE m.account = stored.account
                AND NOT EXISTS (SELECT FROM told WHERE told.account = m.account AND told.market = m.market)
        )
        INSERT INTO market_people (market, account, is_customer, is_provider, title)
        SELECT market, account, is_customer, is_provider, title FROM told ORDER BY account, market
        ON CONFLICT (market, account) DO UPDATE SET is_customer = EXCLUDED.is_customer,
            is_provider = EXCLUDED.is_provider, title = EXCLUDED.title
        """

    static func bind(_ people: [AccountSnapshot], _ bindings: inout Bindings) {
        bindings.append(
            columnsOf: people.flatMap(all(of:)), \.account, \.market, \.isCustomer, \.isProvider, \.title)
    }
}

/// A deleted account is nothing in any market.
struct DeleteMarketPeople: Statement {
    static let sql: SQL = "DELETE FROM market_people WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

extension AccountSnapshot {
    /// The ways that are switched off, separated by spaces.
    var mutedText: String { (muted ?? []).joined(separator: " ") }
}
