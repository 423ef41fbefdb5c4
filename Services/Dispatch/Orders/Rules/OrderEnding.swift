import Foundation

extension Order {
    /// How an order ended: who ended it, when, what that costs, and who gets the price.
    struct Ending: Sendable, Equatable {
        /// Who gets the price of an order that has ended.
        enum Payee: String, Sendable {
            case provider, customer
            /// Who sells what nobody has brought. The price of the way goes back to the customer.
            case merchant
            /// Each a part: merchant and provider, or, by an admin's decision, the customer and who has earned it.
            case both
            /// What it sells itself.
            case platform
            /// Nothing had been paid.
            case nobody
        }

        let by: OrderActor
        let at: Date
        /// What the customer pays beside the price.
        var fine: WayFine?
        /// What an admin decided, where one did.
        var verdict: Verdict?
    }

    /// An admin's decision about a reported order.
    struct Verdict: Sendable, Hashable {
        enum Decision: String, Sendable, CaseIterable { case payProvider, returnToCustomer, split }

        let decision: Decision
        /// Minor units of the price that go back; the rest is for who has earned it.
        let toCustomer: Int
        /// The admin's words.
        let reason: String
    }

    /// Who gets the price; nil while the order goes on.
    var paidTo: Ending.Payee? {
        guard state.isFinal else { return nil }
        if let verdict = ending?.verdict {
            // Cash that changed hands, or did not, is nothing that could be given back.
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
        // Held, or held and given back. Cash was only promised.
        return payment.version == 0 || payment.method == "cash" ? .nobody : .customer
    }

    /// Who has earned the price of what was done.
    private var earner: Ending.Payee {
        let parties = Set((payees ?? []).filter { $0.amount > 0 }.map(\.party))
        if parties.contains(.merchant) { return parties.contains(.provider) ? .both : .merchant }
        return provider == nil ? .platform : .provider
    }
}
