import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// Query of an order list: `?role=customer&section=active&limit=20&cursor=…`. A merchant's section `new` has the orders
/// that wait for an answer, `active` the others that are open. With `relative=…` the list has that customer's orders.
struct OrderListQuery {
    let role: OrderActor
    let section: OrderReader.Section
    /// For a merchant: whether the orders wait for an answer; nil means all.
    let isNew: Bool?
    /// The relative whose orders the caller may see; nil means the caller's own orders.
    let relative: UUID?
    let page: PageRequest
    let scope: CursorScope

    /// - Throws: a 400 ``Problem``.
    init(_ request: Request, caller: Caller, cursors: CursorSealer) throws(Problem) {
        let query = QueryParameters(request)
        let roleName = query["role"] ?? "customer"
        let sectionName = query["section"] ?? "active"
        let role = OrderActor(rawValue: roleName).flatMap { OrderActor.mealParties.contains($0) ? $0 : nil }
        let section: OrderReader.Section? =
            switch sectionName {
            case "active", "new": .running
            case "inactive", "past": .ended
            default: nil
            }
        var fields: [FieldProblem] = []
        if role == nil {
            fields.append(FieldProblem("role", "not-a-choice", ["choices": "customer, provider, merchant"]))
        }
        if section == nil {
            fields.append(FieldProblem("section", "not-a-choice", ["choices": "active, inactive, new, past"]))
        }
        let relativeText = query["relative"]
        let relative = relativeText.flatMap { UUID(uuidString: $0) }
        if relativeText != nil, relative == nil { fields.append(FieldProblem("relative", "not-an-id")) }
        if relativeText != nil, let role, role != .customer {
            fields.append(FieldProblem("role", "not-a-choice", ["choices": "customer"]))
        }
        guard let role, let section, fields.isEmpty else {
            throw Problem("invalid-query", status: .badRequest, fields: fields)
        }
        self.role = role
        self.section = section
        self.relative = relative
        isNew = role == .merchant && section == .running ? sectionName == "new" : nil
        let name = section == .ended ? "ended" : isNew == true ? "new" : "running"
        var filters = ["role": role.rawValue, "section": name]
        if let relative { filters["relative"] = relative.text }
        scope = CursorScope(list: "orders", filters: filters, owner: caller.accountID.uuidString)
        page = try PageRequest(request, scope: scope, sealer: cursors)
    }
}
