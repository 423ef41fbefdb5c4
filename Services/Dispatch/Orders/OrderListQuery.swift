import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// Query of an order list: `?role=customer&section=active&limit=20&cursor=…`. A merchant's section `new` has the orders
/// that wait for an answer, `active` the others that are open. Of `past` and `inactive`, `delivered` has those that were
/// done and `cancelled` the others. With `relative=…` the list has that customer's orders.
struct OrderListQuery {
    static let sections = "active, inactive, new, past, delivered, cancelled"

    let role: OrderActor
    let section: OrderReader.Section
    /// For a merchant: whether the orders wait for an answer; nil means all.
    let isNew: Bool?
    /// Whether the list has the visits that others have ordered for the caller: `role=recipient`.
    let isForMe: Bool
    /// The relative whose orders the caller may see; nil means the caller's own orders.
    let relative: UUID?
    /// The market of an API key; nil means all markets.
    let market: String?
    let page: PageRequest
    let scope: CursorScope

    /// - Throws: a 400 ``Problem``; 403 for an API key that asks for more than a customer's own orders.
    init(_ request: Request, caller: Caller, cursors: CursorSealer) throws(Problem) {
        let query = QueryParameters(request)
        let roleName = query["role"] ?? "customer"
        let sectionName = query["section"] ?? "active"
        let isForMe = roleName == "recipient"
        let role =
            isForMe
            ? .customer : OrderActor(rawValue: roleName).flatMap { OrderActor.mealParties.contains($0) ? $0 : nil }
        let section: OrderReader.Section? =
            switch sectionName {
            case "active", "new": .running
            case "inactive", "past": .ended
            case "delivered": .delivered
            case "cancelled": .cancelled
            default: nil
            }
        var fields: [FieldProblem] = []
        if role == nil {
            fields.append(FieldProblem("role", "not-a-choice", ["choices": "customer, provider, merchant, recipient"]))
        }
        if section == nil {
            fields.append(FieldProblem("section", "not-a-choice", ["choices": Self.sections]))
        }
        let relativeText = query["relative"]
        let relative = relativeText.flatMap { UUID(uuidString: $0) }
        if relativeText != nil, relative == nil { fields.append(FieldProblem("relative", "not-an-id")) }
        if relativeText != nil, let role, role != .customer || isForMe {
            fields.append(FieldProblem("role", "not-a-choice", ["choices": "customer"]))
        }
        guard let role, let section, fields.isEmpty else {
            throw Problem("invalid-query", status: .badRequest, fields: fields)
        }
        market = caller.keyMarket
        guard market == nil || (role == .customer && !isForMe && relative == nil) else { throw .outsideKeyScope }
        self.role = role
        self.isForMe = isForMe
        self.section = section
        self.relative = relative
        isNew = role == .merchant && section == .running ? sectionName == "new" : nil
        let name = section.isEnded ? "\(section)" : isNew == true ? "new" : "running"
        var filters = ["role": roleName, "section": name]
        if let market { filters["market"] = market }
        if let relative { filters["relative"] = relative.text }
        scope = CursorScope(list: "orders", filters: filters, owner: caller.accountID.uuidString)
        page = try PageRequest(request, scope: scope, sealer: cursors)
    }
}
