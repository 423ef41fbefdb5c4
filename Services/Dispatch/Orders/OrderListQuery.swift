import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// Query of an order list: `?role=customer&section=active&limit=20&cursor=…`. A merchant's section `new` has the orders
/// that wait for an answer, `active` the others that are open. Of `past` and `inactive`, `delivered` has those that were
/// done and `cancelled` the others. With `relative=…` the list has that customer's orders.
struct OrderListQuery {
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
    let page: ListPage

    /// - Throws: a 400 ``Problem``; 403 for an API key that asks for more than a customer's own orders.
    init(_ request: Request, caller: Caller, cursors: CursorSealer) throws(Problem) {
        let query = QueryForm(request, ignoring: .unknown)
        let roleName = query.choice("role", of: ["customer", "provider", "merchant", "recipient"]) ?? "customer"
        let sectionName =
            query.choice("section", of: ["active", "inactive", "new", "past", "delivered", "cancelled"]) ?? "active"
        isForMe = roleName == "recipient"
        role = OrderActor(rawValue: roleName) ?? .customer
        section =
            switch sectionName {
            case "inactive", "past": .ended
            case "delivered": .delivered
            case "cancelled": .cancelled
            default: .running
            }
        relative = query.uuid("relative")
        if query["relative"] != nil, roleName != "customer" {
            query.reject("role", "not-a-choice", ["choices": "customer"])
        }
        try query.finish()
        market = caller.keyMarket
        guard market == nil || (role == .customer && !isForMe && relative == nil) else { throw .outsideKeyScope }
        isNew = role == .merchant && section == .running ? sectionName == "new" : nil
        page = try query.page(
            of: "orders", .descending, where: market.map { ["market": $0] } ?? [:], owner: caller.accountID,
            sealedBy: cursors)
    }
}
