import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Routes for the admins' desk (O7).
extension OrderRoutes {
    /// `GET {id}/partners`: the partners to whom the order can be sent.
    func partners(_ request: Request, _ context: AuthenticatedContext) async throws -> PartnerListView {
        let id = try context.uuid("id")
        guard let order = try await reader.pool.first(FindOrder(order: id))?.details().order,
            context.caller.has("admin", in: order.market), let market = markets.named(order.market)
        else { throw OrderNotFound() }
        let now = clock()
        let start = order.scheduledAt ?? max(order.requestedAt, now)
        let rows = try await reader.pool.query(
            ListPartners(
                market: order.market, order: id, from: start,
                to: start.addingTimeInterval(Double(order.homeCare?.minutes ?? 0) * 60), now: now))
        return PartnerListView(
            rows.filter { $0.partner.mayDo(order, in: market) }, preferred: order.homeCare?.preferred, in: market,
            context.language)
    }

    /// `POST {id}/assignment`
    func assign(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await manage(request, context) { form in form?.uuid("provider").map { .assign($0) } }
    }

    /// `DELETE {id}/assignment`
    func unassign(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await manage(request, context) { form in .unassign(reason: form?.reason(not: markets.reasons)) }
    }

    /// `PUT {id}/schedule`
    func reschedule(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await manage(request, context) { form in form?.date("time").map { .reschedule($0) } }
    }

    /// `POST {id}/refusal`: the money goes back.
    func refuse(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await manage(request, context) { form in .refuse(reason: form?.reason(not: markets.reasons)) }
    }

    /// `POST {id}/cancellation`: an admin cancels for a calling customer.
    func cancelForCaller(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await manage(request, context) { form in .cancel(reason: form?.reason(not: markets.reasons)) }
    }

    /// - Parameter act: returns nil if the form is invalid; the form has the errors.
    private func manage(
        _ request: Request, _ context: AuthenticatedContext, _ act: (Form?) -> ManageOrder.Act?
    ) async throws -> Response {
        let (order, once) = try await order(request, context)
        let form = try await once.request.optionalForm(context: context)
        let act = act(form)
        try form?.finish()
        guard let act else { throw Problem.invalidFields([FieldProblem(JSONPointer([]), "required")]) }
        let caller = context.caller
        return try await idempotency.answer(once) { transaction in
            let details = try await operations.manage(
                act, of: order, by: caller.accountID, isAdmin: { try caller.isAdmin(in: $0) }, at: clock(),
                in: transaction)
            return try response(details, for: .admin, .ok, context)
        }
    }
}

/// Partners to whom an order can be sent.
struct PartnerListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let account: String
        let name: String
        let title: String?
        let titleName: String?
        /// The path of the picture, or of the market's logo.
        let avatar: String
        /// Whether the partner has no other visit at that time.
        let isFree: Bool
        /// Whether the customer prefers this partner.
        let isPreferred: Bool
    }

    /// The preferred partner first, then the free ones.
    let items: [Item]

    init(_ rows: [ListPartners.Row], preferred: UUID?, in market: Market, _ language: Language) {
        let items = rows.map { row in
            Item(
                account: row.partner.account.text, name: row.partner.name, title: row.partner.title,
                titleName: row.partner.titleName(in: market, language),
                avatar: AvatarPath.path(of: row.partner.avatar, in: market.id), isFree: row.isFree,
                isPreferred: row.partner.account == preferred)
        }
        self.items =
            items.filter(\.isPreferred) + items.filter { !$0.isPreferred && $0.isFree }
            + items.filter { !$0.isPreferred && !$0.isFree }
    }
}
