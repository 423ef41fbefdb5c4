import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Shows an admin who orders for a caller which of the caller's cards may be charged: only those that their owner has released
/// (``StoredCard/consentedAt``), and only what the owner recognizes them by. Every reading is in the audit log.
struct ConsentingCardRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/people/{account}/consenting-cards", use: list)
    }

    /// In a market whose visits a desk takes; in others nobody charges a card in its owner's absence.
    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> WholeList<ConsentingCardView> {
        let market = try context.administeredMarket()
        guard market.hasDesk else { throw Problem.notFound }
        let account = try context.uuid("account")
        try QueryForm(request).finish()
        let month = CardExpiry.monthNumber(at: parts.clock())
        let cards = try await parts.pool.query(ListConsentedCards(account: account, market: market.id, month: month))
        return WholeList(items: cards.map(ConsentingCardView.init))
    }
}

extension Market {
    /// Whether admins take orders for callers here, and charge cards for them.
    var hasDesk: Bool { kinds.contains { $0.workflow == .homeCare } }
}

struct ConsentingCardView: Encodable, Sendable {
    let id: String
    let brand: String
    let last4: String
    /// The last month in which it can be charged, such as `2027-08`.
    let expires: String

    init(_ card: StoredCard) {
        id = card.id.text
        brand = card.brand
        last4 = card.lastFour
        let month = String(card.expiry.month)
        expires = "\(card.expiry.year)-\(month.count < 2 ? "0" : "")\(month)"
    }
}

/// Lists the cards that their owner has released and that are valid still, of somebody who has paid something in the market or
/// has a line of its statement; the one that is charged without a choice comes first (``FindConsentedCard``).
struct ListConsentedCards: Statement {
    static let sql: SQL = """
        SELECT id, account, reference, brand, last_four, expiry_month, expiry_year, holder, customer, is_default,
            consented_at
        FROM cards WHERE account = $1 AND consented_at IS NOT NULL AND expiry_number >= $2 AND (
            EXISTS (SELECT FROM payments WHERE customer = $1 AND market = $3)
            OR EXISTS (SELECT FROM statement_lines AS line WHERE line.account = $1 AND line.market = $3)
            OR EXISTS (SELECT FROM top_ups WHERE top_ups.account = $1 AND top_ups.market = $3))
        ORDER BY is_default DESC, id DESC LIMIT 100
        """
    let account: UUID
    let market: String
    /// ``CardExpiry/monthNumber(at:)``
    let month: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, month, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> StoredCard { try StoredCard(row: &row) }
}
