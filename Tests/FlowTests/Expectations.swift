import Contracts
import Foundation
import Phones
import TestKit
import Testing

/// Expects that a service says no.
/// - Parameter state: the state that the problem must name; nil accepts any.
/// - Returns: what it said; nil when it was not refused.
@discardableResult
func refuses(
    _ status: Int..., state: String? = nil, at place: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async throws -> Refusal? {
    do {
        _ = try await body()
        Issue.record("it was not refused", sourceLocation: place)
        return nil
    } catch let refusal as Refusal {
        #expect(status.contains(refusal.status), "\(refusal)", sourceLocation: place)
        if let state { #expect(refusal.state == state, "\(refusal)", sourceLocation: place) }
        #expect(!refusal.slug.isEmpty, "\(refusal) is no problem document", sourceLocation: place)
        return refusal
    }
}

extension Newcomer {
    /// Waits until the stream has said that the order is in this state.
    @discardableResult
    func sees(_ order: UUID, _ state: OrderSnapshot.State) async throws -> OrderView {
        try await stream.order(order, is: state, within: .seconds(150))
    }

    /// Waits until the stream has told an event of the order, by its wire name.
    @discardableResult
    func hears(_ event: String, of order: UUID) async throws -> OrderView {
        try await stream.order(order, event, within: .seconds(150)) { $0.event == event }
    }

    /// Waits until the stream has said that the order is paid out.
    func seesPayout(of order: UUID) async throws {
        try await stream.order(order, "paid out", within: .seconds(150)) { $0.snapshot.payment.state == .captured }
    }

    /// Waits until there is so much in the wallet, in minor units, and nothing is held.
    func has(_ amount: Int, in currency: String) async throws {
        try await eventually("\(person.name) has \(amount)") {
            try await phone.wallets().first { $0.currency == currency }
        } satisfies: { wallet in
            (wallet?.balance ?? 0) == amount && (wallet?.held ?? 0) == 0
        }
    }
}

extension AdminDesk {
    /// Waits until nothing of a currency is held for any order. Its ledger sums up to zero all the time.
    func settled(_ currency: String) async throws {
        let settled = try await eventually("nothing is held in \(currency)") {
            try await ledger(of: currency)
        } satisfies: { found in
            found?.heldInEscrow == 0 && found?.openHolds == 0
        }
        #expect(settled?.sum == 0)
    }
}
