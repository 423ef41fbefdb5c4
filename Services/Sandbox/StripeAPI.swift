import Crypto
import Foundation
import Synchronization

/// The payment provider with idempotency keys, JSON and webhooks. Requests are handled one at a time, therefore two
/// requests with the same key never overlap.
final class StripeAPI: Sendable {
    /// The version of Stripe's API whose answers and events these are.
    static let version = "2024-06-20"

    struct Answer: Sendable {
        let status: Int
        let json: Data
        var isRepeated = false
        /// Whether to close the connection without an answer.
        var isLost = false
        /// Whether repeats of the request get the same answer.
        var isKept = true
    }

    private struct Kept: Sendable {
        let fingerprint: SHA256.Digest
        let answer: Answer
    }

    private struct State: Sendable {
        var provider: PaymentProvider
        var kept: [String: Kept] = [:]
    }

    private let state: Mutex<State>
    private let webhooks: WebhookSender

    init(webhooks: WebhookSender) {
        self.webhooks = webhooks
        let salt = String(UInt32.random(in: .min ... .max), radix: 36) + "x"
        state = Mutex(State(provider: PaymentProvider(salt: salt)))
    }

    func setDown(_ isDown: Bool) {
        state.withLock { $0.provider.isDown = isDown }
    }

    /// Whether the platform's balance is too low for payouts.
    func setBalanceLow(_ isLow: Bool) {
        state.withLock { $0.provider.isBalanceLow = isLow }
    }

    func payouts(since: Int, after: String?, limit: Int) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return try state.provider.payouts(since: since, after: after, limit: limit)
            }
        }
    }

    /// Opens a dispute by a card's owner.
    ///
    /// - Returns: the dispute's id; nil if the payment does not exist or was not captured.
    func dispute(_ intent: String, _ amount: Int?, reason: String, as status: CardDispute.Status) -> String? {
        happen { provider, now throws(StripeError) in
            try provider.dispute(intent, amount, reason: reason, as: status, at: now).id
        }
    }

    /// Changes a dispute's status as its bank does.
    ///
    /// - Returns: whether the dispute exists and was open.
    func changeDispute(_ id: String, to status: CardDispute.Status) -> Bool {
        happen { provider, now throws(StripeError) in try provider.change(id, to: status, at: now) } != nil
    }

    /// Refunds a payment as in the dashboard.
    ///
    /// - Parameter amount: nil for the rest of the payment.
    /// - Returns: whether the payment had that much left.
    func refundOutside(_ intent: String, _ amount: Int?) -> Bool {
        happen { provider, now throws(StripeError) in try provider.refundOutside(intent, amount, at: now) } != nil
    }

    private func happen<Made>(
        _ body: (inout PaymentProvider, PaymentProvider.Moment) throws(StripeError) -> Made
    ) -> Made? {
        let now = Self.moment()
        let (made, events) = state.withLock { state -> (Made?, [ProviderEvent]) in
            // try?: every error means that there is nothing to act on.
            let made = try? body(&state.provider, now)
            return (made, state.provider.takeEvents())
        }
        for event in events { webhooks.send(event) }
        return made
    }

    /// By lower-case currency.
    var totals: [String: PaymentTotals] { state.withLock { $0.provider.totals } }

    func intent(_ id: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return .intent(try state.provider.intent(id))
            }
        }
    }

    func payout(_ id: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return .payout(try state.provider.payout(id))
            }
        }
    }

    /// - Returns: the id of the payment method; nil if the card is refused.
    func handOver(_ card: FormParameters) -> String? {
        let now = Self.moment()
        return state.withLock { state in
            // try?: a refused card has no id.
            guard case .method(let id, _, _)? = try? state.provider.perform(.createMethod, card, at: now) else {
                return nil
            }
            return id
        }
    }

    func method(_ id: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return try state.provider.known(id)
            }
        }
    }

    /// Sets the base URL of the pages for customers.
    func listen(at address: String) { state.withLock { $0.provider.address = address } }

    /// The number of payment methods that customers have stored.
    var attachedCount: Int { state.withLock { $0.provider.attachedCount } }
    var refundCount: Int { state.withLock { $0.provider.refunds.count } }
    var customerCount: Int { state.withLock { $0.provider.customers.count } }

    func search(metadata name: String, _ value: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return .found(state.provider.search(metadata: name, value))
            }
        }
    }

    func refunds(of intent: String?, after: String?, limit: Int) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return try state.provider.refunds(of: intent, after: after, limit: limit)
            }
        }
    }

    /// Deletes the idempotency keys, as after a day, but not what the requests have created.
    func forgetKeys() { state.withLock { $0.kept = [:] } }

    func deleteCustomer(_ id: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in try state.provider.deleteCustomer(id) }
        }
    }

    /// Whether this payment waits for a customer's answer with this key.
    func isWaiting(_ id: String, key: String) -> Bool {
        // try?: the only error means that it does not.
        state.withLock { (try? $0.provider.waiting(id, key: key)) != nil }
    }

    /// Answers the question on the payment's page for the customer.
    ///
    /// - Returns: the URL for the customer's return; nil if no payment waits with this key.
    func answer(_ id: String, key: String, isYes: Bool) -> String? {
        let now = Self.moment()
        let (intent, events) = state.withLock { state -> (PaymentIntent?, [ProviderEvent]) in
            // try?: the only error means that there is nothing to answer.
            let intent = try? state.provider.answer(id, key: key, isYes: isYes, at: now)
            return (intent, state.provider.takeEvents())
        }
        for event in events { webhooks.send(event) }
        guard let intent, let back = intent.returnURL else { return nil }
        let word = intent.lastDecline == nil ? "succeeded" : "failed"
        return back + (back.contains("?") ? "&" : "?") + "payment_intent=\(id)&redirect_status=\(word)"
    }

    private static func moment() -> PaymentProvider.Moment {
        let secret = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        return PaymentProvider.Moment(Date(), secret: secret)
    }

    /// - Parameter key: the header `Idempotency-Key`. As at Stripe, refusals of the request itself are not stored, but
    ///   failures of its execution are.
    func perform(_ command: ProviderCommand, _ form: FormParameters, key: String?) -> Answer {
        let now = Self.moment()
        let fingerprint = SHA256.hash(data: Data("\(command.path)?\(form.canonical)".utf8))
        let (answer, events) = state.withLock { state -> (Answer, [ProviderEvent]) in
            // A provider that is down does not replay stored answers either.
            if !state.provider.isDown, let key, let kept = state.kept[key] {
                guard kept.fingerprint == fingerprint else { return (Self.refusal(.keyReused), []) }
                return (kept.answer, [])
            }
            var answer = Self.answer { () throws(StripeError) in try state.provider.perform(command, form, at: now) }
            if let key, answer.isKept {
                var kept = answer
                kept.isRepeated = true
                kept.isLost = false
                state.kept[key] = Kept(fingerprint: fingerprint, answer: kept)
            }
            answer.isRepeated = false
            return (answer, state.provider.takeEvents())
        }
        for event in events { webhooks.send(event) }
        return answer
    }

    static func refusal(_ error: StripeError) -> Answer {
        Answer(
            status: error.status, json: StripeJSON.error(error), isKept: error.status == 402 || error.isExecutionFailure
        )
    }

    private static func answer(_ body: () throws(StripeError) -> PaymentProvider.Result) -> Answer {
        do throws(StripeError) {
            let result = try body()
            var answer = Answer(status: 200, json: StripeJSON.result(result))
            switch result {
            case .intent(_, answerIsLost: true), .payout(_, answerIsLost: true): answer.isLost = true
            default: break
            }
            return answer
        } catch {
            return refusal(error)
        }
    }
}
