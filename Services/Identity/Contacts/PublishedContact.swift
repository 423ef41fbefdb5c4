import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Which of their contacts people have chosen to show to everybody of a market (P8, I6).
struct PublishedContact: Encodable, Sendable, Equatable {
    let email: Bool
    let mobile: Bool

    static let none = PublishedContact(email: false, mobile: false)
}

struct FindPublishedContact: Statement {
    static let sql: SQL = "SELECT email, mobile FROM published_contacts WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> PublishedContact {
        PublishedContact(email: try row.next(), mobile: try row.next())
    }
}

struct PutPublishedContact: Statement {
    static let sql: SQL = """
        INSERT INTO published_contacts (account, market, email, mobile, changed_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account, market) DO UPDATE
        SET email = excluded.email, mobile = excluded.mobile, changed_at = excluded.changed_at
        """
    let account: UUID
    let market: String
    let contact: PublishedContact
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, contact.email, contact.mobile, now) }
}

struct DeletePublishedContact: Statement {
    static let sql: SQL = "DELETE FROM published_contacts WHERE account = $1 AND market = $2"
    let account: UUID
    let market: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
}

/// `/identity/v1/accounts/me/markets/{market}/contact`: what the caller shows to everybody of a market. Only where the
/// market publishes contacts; elsewhere there is nothing to show.
struct PublishedContactRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/markets/{market}/contact", context: AuthenticatedContext.self)
            .get(use: read)
            .put(use: put)
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let find = FindPublishedContact(account: context.caller.accountID, market: try market(context))
        return try .json(.ok, try await parts.pool.first(find) ?? .none)
    }

    private func put(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let form = try await request.form(context: context)
        let email = form.bool("email")
        let mobile = form.bool("mobile")
        guard let email, let mobile, form.isValid else { throw form.problem }
        let contact = PublishedContact(email: email, mobile: mobile)
        try await parts.pool.withTransaction { transaction in
            _ = try await Accounts.lock(context.caller.accountID, in: transaction)
            transaction.send(
                PutPublishedContact(
                    account: context.caller.accountID, market: market, contact: contact, now: parts.clock()))
        }
        return try .json(.ok, contact)
    }

    private func market(_ context: AuthenticatedContext) throws(Problem) -> String {
        let market = context.parameters.get("market") ?? ""
        try context.caller.require(anyOf: Set(Role.Kind.allCases.map(\.rawValue)), in: market)
        guard Market.named(market) != nil, parts.onboarding(market).publishesContact else { throw .notFound }
        return market
    }
}
