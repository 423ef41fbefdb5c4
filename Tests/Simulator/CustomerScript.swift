import Contracts
import Foundation
import Phones

/// How one order goes, on the customer's phone.
struct CustomerScript: Sendable {
    let customer: SimulatedCustomer
    let behaviour: CustomerBehaviour
    let place: Coordinate
    let seed: UInt64
    let number: Int
    let windows: Windows
    let observations: Observations

    private var phone: Phone { customer.customer.phone }
    private var stream: LiveStream { customer.customer.stream }
    private var repeating: Repeating { Repeating(observations: observations) }

    /// Until the customer has seen the order's end.
    func run() async {
        do {
            guard let order = try await ask() else {
                observations.update { $0.notPlaced += 1 }
                return
            }
            try await follow(order)
            let last = try await stream.order(order, "the end", within: windows.longestOrder) { $0.state.isFinal }
            observations.update { $0.ended += 1 }
            if last.state == .completed, behaviour.rates {
                try await tolerating { try await phone.rate(order, stars: Int.random(in: 3...5), serviceStars: 5) }
            }
        } catch is CancellationError {
        } catch {
            observations.surprise("order \(number), customer, \(behaviour.course): \(error)")
        }
    }

    // MARK: Asking

    private func ask() async throws -> UUID? {
        var generator = SplitMix(seed: seed, "choice", number)
        let services =
            [["wound-care"], ["injection"], ["vital-signs"], ["wound-care", "injection"]]
            .randomElement(using: &generator) ?? []
        for _ in 0..<60 {
            let market = customer.customer.market
            let found = try await phone.providers(in: market, for: services, near: place, limit: 20)
            guard let choice = found.randomElement(using: &generator) else {
                try await Task.sleep(for: .milliseconds(250))
                continue
            }
            let form = OrderForm(
                market: market, provider: choice.provider, services: services, at: place, description: "Stop \(number)",
                total: choice.total)
            do {
                let sent = ContinuousClock.now
                let order = try await repeating.send(behaviour.repeats, "order", mark: \.id) { key in
                    try await phone.order(form, key: key)
                }
                observations.update {
                    $0.orders[order.id] = .init(
                        customer: customer.customer.account, provider: choice.provider, sentAt: sent)
                }
                return order.id
            } catch let refusal as Refusal where [409, 422, 404].contains(refusal.status) {
                // Somebody else was quicker, or the provider has just left.
                continue
            }
        }
        return nil
    }

    // MARK: What follows

    private func follow(_ order: UUID) async throws {
        if behaviour.course == .cancelsWhileRequested {
            try await think()
            try await tolerating { try await phone.act("cancel", on: order, ["reason": "changed my mind"]) }
            return
        }
        guard try await goesOn(order, to: .accepted, within: windows.acceptSeconds + 20) else { return }
        try await think()
        switch behaviour.course {
        case .cancelsWhileAccepted:
            try await tolerating { try await phone.act("cancel", on: order, ["reason": "too far away"]) }
            return
        case .letsPaymentExpire: return
        case .onlyCardRefused:
            try await payByRefusedCard(order)
            return
        case .firstCardRefused:
            try await payByRefusedCard(order)
            try await pay(order)
        case .paysLate:
            try await Task.sleep(for: .seconds(windows.paymentSeconds) - .milliseconds(behaviour.thinkMilliseconds * 2))
            try await pay(order)
        case .straight, .neverConfirms, .cancelsWhileRequested: try await pay(order)
        }
        // A journey of an hour takes a second here, which no phone's places can show: so the customer says that somebody came.
        try await tolerating { try await phone.act("met", on: order) }
        guard try await goesOn(order, to: .arrived, within: windows.arrivalSeconds + 30) else { return }
        guard behaviour.course != .neverConfirms else { return }
        try await Task.sleep(for: Timing.work)
        try await tolerating {
            _ = try await repeating.send(behaviour.repeats, "complete", mark: \.id) { key in
                try await phone.act("complete", on: order, key: key)
            }
        }
    }

    /// Waits until the order is there or has ended.
    /// - Returns: whether it is there, or further.
    private func goesOn(_ order: UUID, to state: OrderSnapshot.State, within seconds: Int) async throws -> Bool {
        let states: [OrderSnapshot.State] = [.requested, .accepted, .enRoute, .arrived, .completed]
        guard let wanted = states.firstIndex(of: state) else { return false }
        let seen = try await stream.order(order, "order \(state)", within: .seconds(seconds)) { view in
            view.state.isFinal || (states.firstIndex(of: view.state) ?? 0) >= wanted
        }
        return !seen.state.isFinal
    }

    private func pay(_ order: UUID) async throws {
        do {
            try await pay(order, by: behaviour.method, card: customer.card)
        } catch let refusal as Refusal where behaviour.method == "wallet" && refusal.slug == "insufficient-funds" {
            try await pay(order, by: "card", card: customer.card)
        }
    }

    private func pay(_ order: UUID, by method: String, card: UUID) async throws {
        let sent = ContinuousClock.now
        func paid() { observations.update { $0.payments[order] = sent } }
        try await phone.until("the wallet asks for the payment", within: .seconds(windows.paymentSeconds + 10)) {
            do {
                _ = try await repeating.send(behaviour.repeats, "payment", mark: \.order) { key in
                    try await phone.pay(order, by: method, card: method == "card" ? card : nil, key: key)
                }
                paid()
                return true
            } catch let refusal as Refusal where refusal.isBeforeAcceptance {
                // The wallet has not heard of the acceptance yet.
                return false
            } catch let refusal as Refusal where refusal.status == 409 {
                // Over, or paid already: the stream says which.
                paid()
                return true
            }
        }
    }

    private func payByRefusedCard(_ order: UUID) async throws {
        try await pay(order, by: "card", card: customer.refusedCard)
        try await phone.until("the card is refused", within: .seconds(windows.paymentSeconds + 10)) {
            try await phone.payment(of: order).state != "authorising"
        }
    }

    private func think() async throws { try await Task.sleep(for: .milliseconds(behaviour.thinkMilliseconds)) }

    /// Runs what a race may have made impossible.
    private func tolerating(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let refusal as Refusal where refusal.status == 409 { return }
    }
}
