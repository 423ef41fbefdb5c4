public import Contracts
public import Foundation

extension LiveStream {
    /// Waits until the stream has said that the order satisfies `condition`, and returns it as it was then.
    @discardableResult
    public func order(
        _ id: UUID, _ what: String, within limit: Duration = .seconds(15), where condition: (OrderView) -> Bool
    ) async throws -> OrderView {
        let found = try await log.first(what, within: limit) { entry -> OrderView?? in
            switch entry.event {
            case .order(let order) where order.id == id && condition(order): .some(order)
            case .undone(id): .some(nil)
            default: nil
            }
        }
        guard let found else { throw Undone(order: id) }
        return found
    }

    /// The database was set back to before the order.
    public struct Undone: Error, CustomStringConvertible {
        let order: UUID
        public var description: String { "order \(order.path) is undone" }
    }

    /// Waits until the order has come to this state.
    @discardableResult
    public func order(
        _ id: UUID, is state: OrderSnapshot.State, within limit: Duration = .seconds(15)
    ) async throws -> OrderView {
        try await order(id, "order \(state)", within: limit) { $0.state == state }
    }

    /// Waits for what the stream says of the order's payment.
    @discardableResult
    public func payment(
        of id: UUID, _ what: String, within limit: Duration = .seconds(15), from index: Int = 0,
        where condition: (PaymentOutcome) -> Bool = { _ in true }
    ) async throws -> PaymentOutcome {
        try await log.first(what, within: limit, from: index) { entry in
            guard case .payment(let outcome) = entry.event, outcome.order == id, condition(outcome) else { return nil }
            return outcome
        }
    }
}
