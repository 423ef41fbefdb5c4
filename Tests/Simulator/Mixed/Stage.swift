import Contracts
import Foundation
import Phones

/// What one person does on a phone, from the beginning to the end.
protocol Script: Sendable {
    func run() async throws
}

/// What all scripts of a market share.
struct Stage: Sendable {
    let town: Newcomer.Town
    let desk: AdminDesk
    let market: Market
    let seed: UInt64
    /// How long somebody waits for what others have to do.
    let patience: Duration
    let observations = Observations()

    /// Plays a script. Whatever it stumbles over is noted, and the order is left to its windows.
    func play(_ what: String, _ script: some Script) async {
        do {
            try await script.run()
        } catch is CancellationError {
        } catch {
            guard !Task.isCancelled else { return }
            observations.surprise("\(what): \(error)")
        }
    }

    // MARK: Orders

    func ordered(_ order: UUID, by customer: UUID) {
        observations.update {
            $0.orders[order] = .init(customer: customer, provider: nil, sentAt: .now, isAsked: false)
        }
    }

    /// From now on it takes time until a provider hears of the order.
    func asks(for order: UUID) {
        observations.update {
            $0.orders[order]?.sentAt = .now
            $0.orders[order]?.isAsked = true
        }
    }

    func ended() { observations.update { $0.ended += 1 } }

    /// Waits until the order is in one of these states, or over.
    /// - Returns: whether it goes on.
    func goesOn(_ order: UUID, _ stream: LiveStream, to states: Set<OrderSnapshot.State>) async throws -> Bool {
        let names = states.map(\.rawValue).sorted().joined(separator: " or ")
        let seen = try await stream.order(order, names, within: patience) {
            $0.state.isFinal || states.contains($0.state)
        }
        return !seen.state.isFinal
    }

    /// Runs what a race may have made impossible.
    /// - Returns: whether it was possible.
    @discardableResult
    func tolerating(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return true
        } catch let refusal as Refusal where [404, 409].contains(refusal.status) {
            return false
        }
    }

    /// Does it as soon as the other party has said that they have met.
    /// - Returns: whether it was possible.
    func persist(
        _ act: String, _ phone: Phone, _ order: UUID, _ body: [String: String] = [:]
    ) async throws -> Bool {
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            do {
                try await phone.act(act, on: order, body)
                return true
            } catch let refusal as Refusal where ["not-at-place", "too-early"].contains(refusal.slug) {
                try await Task.sleep(for: .milliseconds(150))
            } catch let refusal as Refusal where refusal.status == 409 {
                return false
            }
        }
        throw Phone.Impatience(what: act, limit: patience)
    }

    func generator(_ what: String, _ number: Int) -> SplitMix { SplitMix(seed: seed, what, number) }
}

/// Somebody with a card, and money in the wallet.
struct Payer: Sendable {
    let person: Newcomer
    let card: UUID

    var phone: Phone { person.phone }
    var stream: LiveStream { person.stream }

    /// - Parameter amount: minor units that go from the card into the wallet.
    static func ready(_ person: Newcomer, with amount: Int, in market: String) async throws -> Payer {
        let card = try await person.phone.add(.good, holder: person.person.name, consents: true).card
        let topUp = try await person.phone.topUp(amount, market: market, card: card)
        try await person.phone.until("the top-up is done", within: .seconds(60)) {
            try await person.phone.topUp(topUp.topUp).state == "completed"
        }
        return Payer(person: person, card: card)
    }

    /// Pays as soon as the wallet has heard that it may; by card when the wallet has not enough.
    func pay(_ order: UUID, by method: String, within limit: Duration) async throws {
        var method = method
        try await phone.until("the wallet asks for the payment", within: limit) {
            do {
                try await phone.pay(order, by: method, card: method == "card" ? card : nil)
                return true
            } catch let refusal as Refusal where refusal.slug == "insufficient-funds" {
                method = "card"
                return false
            } catch let refusal as Refusal where refusal.isBeforeAcceptance {
                return false
            } catch let refusal as Refusal where refusal.status == 409 {
                // Over, or paid already: the stream says which.
                return true
            }
        }
    }
}
