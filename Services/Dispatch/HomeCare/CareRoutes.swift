import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Postgres
import ServiceKit

/// Routes for care visits: ordering, the desk's list, the partner's calendar and past clients (O7).
struct CareRoutes: Sendable {
    static let limits = 1...500
    static let defaultLimit = 100

    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/visits") { try await order($0, $1) }
        group.get("markets/{market}/desk") { try await desk($0, $1) }
        group.get("markets/{market}/desk/partners") { try await partnersOfDay($0, $1) }
        group.get("markets/{market}/calendar") { try await calendar($0, $1) }
        group.get("markets/{market}/clients") { try await clients($0, $1) }
    }

    /// A customer orders for himself, herself or a relative; an admin names the calling customer.
    private func order(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let customer = form.uuid("customer", required: false)
        let isByPhone = customer != nil
        try context.caller.require(isByPhone ? "admin" : "customer", in: market.id)
        // An admin acts for others only; the own visit is ordered as a customer.
        if let customer, context.caller.isAccount(customer) { throw Problem.ownMatter }
        var input = try OrderCare.Input(
            form, market: market, customer: customer, caller: context.caller.accountID,
            isByHand: context.caller.scopes == nil && !isByPhone)
        input.place = try input.place.sealed(by: orders.seal)
        return try await orders.idempotency.answer(once) { [input] transaction in
            let details = try await orders.operations.orderCare(input, at: orders.clock(), in: transaction)
            return try orders.response(
                details, for: isByPhone ? .admin : .customer, .created, context)
        }
    }

    private func desk(_ request: Request, _ context: AuthenticatedContext) async throws -> OrderListView {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        let query = QueryForm(lenient: request)
        let state = query.choice(
            "state", of: ["pending", "requested", "offered", "accepted", "inProgress", "disputed", "expired"])
        let (from, to) = query.period()
        let limit = query.integer("limit", in: Self.limits) ?? Self.defaultLimit
        guard query.isValid else { throw query.problem }
        // The desk still has to call the customer of a visit that ended unpaid.
        let rows =
            if state == "expired" {
                try await orders.reader.pool.query(
                    ListUnpaidVisits(market: market.id, from: from, to: to, limit: limit))
            } else {
                try await orders.reader.pool.query(
                    ListDesk(market: market.id, from: from, to: to, state: state ?? "", limit: limit))
            }
        return try OrderListView(rows, of: market, for: .admin, orders.seal, context)
    }

    /// A provider's own, or that of the provider whom an admin names.
    private func calendar(_ request: Request, _ context: AuthenticatedContext) async throws -> OrderListView {
        let (market, _) = try markets.market(of: context)
        let query = QueryForm(lenient: request)
        let named = query.uuid("provider")
        try context.caller.require(named == nil ? "provider" : "admin", in: market.id)
        let (from, to) = query.period()
        let limit = query.integer("limit", in: Self.limits) ?? Self.defaultLimit
        guard query.isValid else { throw query.problem }
        if let named {
            let rows = try await orders.reader.pool.query(
                ListCalendar(provider: named, market: market.id, from: from, to: to, limit: limit))
            return try OrderListView(rows, of: market, for: .admin, orders.seal, context)
        }
        let provider = context.caller.accountID
        let (rows, fixes) = try await orders.reader.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListCalendar(provider: provider, market: market.id, from: from, to: to, limit: limit),
                FindLastPosition(provider: provider))
        }
        return try OrderListView(rows, of: market, for: .provider, from: fixes.first?.place, orders.seal, context)
    }

    private func clients(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<ClientView> {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let provider = context.caller.accountID
        let page = try QueryForm(lenient: request).page(
            of: "clients", .descending, where: ["market": market.id], owner: provider, sealedBy: orders.cursors)
        let rows = try await orders.reader.pool.query(
            ListClients(provider: provider, market: market.id, after: page.last, limit: page.fetchLimit))
        return try page.answer(rows, at: { ($0.lastVisitAt, $0.account) }, item: ClientView.init)
    }
}

/// Orders by their time.
struct OrderListView: ResponseEncodable, Encodable, Sendable {
    let items: [OrderView]

    /// - Parameter place: the provider's last position, in the provider's own list.
    init(
        _ rows: [OrderDetailsRow], of market: Market, for role: OrderActor, from place: GeoPoint? = nil,
        _ seal: PlaceSeal,
        _ context: AuthenticatedContext
    ) throws {
        items = try rows.map { row in
            OrderView(
                try row.details().measured(from: place).opened(by: seal), of: market, for: role,
                in: context.language.rawValue)
        }
    }
}

extension QueryForm {
    /// Reads the parameters `from` and `to`; an absent one sets no bound.
    func period() -> (from: Date, to: Date) {
        (date("from") ?? Date(timeIntervalSince1970: 0), date("to") ?? Date(timeIntervalSince1970: 32_503_680_000))
    }
}

/// How a visit is paid that an admin orders for a caller.
enum CarePayment: String, Sendable, CaseIterable {
    /// At once, as the caller agrees to on the phone.
    case card, wallet
    /// The customer pays and is told, or pays in cash at the desk.
    case later
}

extension OrderCare.Input {
    /// - Parameters:
    ///   - customer: the customer whom the form of an admin names.
    ///   - isByHand: whether the customer orders, and neither the desk nor a program.
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form, market: Market, customer: UUID?, caller: UUID, isByHand: Bool) throws(Problem) {
        let services = form.strings("services", count: 1...20, length: 1...100)
        if let services, Set(services).count < services.count { form.reject("services", "repeated-service") }
        let place = form.orderPlace("place")
        let scheduledAt = form.date("time", required: false)
        let preferred = form.uuid("preferred", required: false)
        let relative = form.uuid("relative", required: false)
        let seen = form.shownPrice(required: isByHand)
        let method = form.choice("payment", of: CarePayment.self, required: false)
        let card = form.uuid("card", required: false)
        if let method, method != .later, customer == nil { form.reject("payment", "only-for-callers") }
        if card != nil, method != .card { form.reject("card", "only-with-card") }
        guard let services, let place, form.isValid else { throw form.problem }
        self.init(
            market: market, customer: customer ?? caller, services: services, place: place, scheduledAt: scheduledAt,
            preferred: preferred, relative: relative, admin: customer == nil ? nil : caller,
            seen: seen)
        charge = method.flatMap { Series.Consent.Method(rawValue: $0.rawValue) }.map { Charge(method: $0, card: card) }
    }
}

extension OrderCare.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unknownServices(let indices):
            .invalidFields(indices.map { FieldProblem(JSONPointer(["services", String($0)]), "unknown-service") })
        case .time(let fault): fault.problem
        case .notLinked: .invalidFields([FieldProblem("relative", "not-linked")])
        case .unknownPartner: .invalidFields([FieldProblem("preferred", "unknown-provider")])
        case .notCustomer: .invalidFields([FieldProblem("customer", "not-a-customer")])
        case .priceRose(let total, let currency): SeriesRefusal.priceChanged(total: total, currency: currency).problem
        }
    }
}

extension CareTime.Fault: ProblemConvertible {
    var problem: Problem {
        let code =
            switch self {
            case .past: "time-is-over"
            case .tooFarAhead: "time-too-far-ahead"
            case .closed: "outside-opening-hours"
            }
        return .invalidFields([FieldProblem("time", code)])
    }
}

extension AskForTime.Past: ProblemConvertible {
    var problem: Problem { CareTime.Fault.past.problem }
}

extension ManageOrder.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unknownPartner: .invalidFields([FieldProblem("provider", "unknown-provider")])
        case .calendarConflict: Problem("calendar-conflict", status: .conflict)
        case .time(let fault): fault.problem
        }
    }
}
