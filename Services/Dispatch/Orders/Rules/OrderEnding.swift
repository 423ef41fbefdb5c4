import Foundation

extension Order {
    /// How an order ended: by whom, when, at what fine, and by which verdict.
    struct Ending: Sendable, Equatable {
        /// Receiver of the price of an ended order.
        enum Payee: String, Sendable {
            case provider, customer
            /// The merchant alone, of a meal that nobody delivered. The delivery's price goes back to the customer.
            case merchant
            /// Merchant and provider each get a part, or, by an admin's decision, the customer and the earner.
            case both
            /// The platform's own sale, such as a bike hire.
            case platform
            /// Nothing was paid.
            case nobody
        }

        let by: OrderActor
        let at: Date
        /// Amount that the customer pays besides the price.
        var fine: LateCancellationFee?
        /// An admin's decision, if there was one.
        var verdict: Verdict?
    }

    /// An admin's decision about a reported order.
    struct Verdict: Sendable, Hashable {
        enum Decision: String, Sendable, CaseIterable { case payProvider, returnToCustomer, split }

        let decision: Decision
        /// Minor units of the price that go back to the customer; the rest goes to the earner.
        let toCustomer: Int
        /// The admin's own words.
        let reason: String
    }

    /// Receiver of the price; nil while the order is open.
    var paidTo: Ending.Payee? {
        guard state.isFinal else { return nil }
        if let verdict = ending?.verdict {
            // The platform cannot give cash back, whether or not it changed hands.
            guard payment.version > 0, payment.state != .released || verdict.decision == .returnToCustomer else {
                return .nobody
            }
            return switch verdict.decision {
            case .payProvider: earner
            case .returnToCustomer: payment.method == "cash" ? .nobody : .customer
            case .split: payment.method == "cash" ? earner : .both
            }
        }
        if state == .completed {
            return payment.state == .released ? .nobody : earner
        }
        // The payment was held, or held and released. Cash was only promised.
        return payment.version == 0 || payment.method == "cash" ? .nobody : .customer
    }

    /// Receiver of the price of work that was done.
    private var earner: Ending.Payee {
        let parties = Set((payees ?? []).filter { $0.amount > 0 }.map(\.party))
        if parties.contains(.merchant) { return parties.contains(.provider) ? .both : .merchant }
        return provider == nil ? .platform : .provider
    }
}
