import Crypto
import Foundation
import Synchronization

/// The payment provider with what surrounds it: idempotency keys, JSON and webhooks. One request is one step: no two
/// with the same key are ever on their way at once.
final class StripeAPI: Sendable {
    struct Answer: Sendable {
        let status: Int
        let json: Data
        var isRepeated = false
        /// The connection is to be closed without an answer.
        var isLost = false
        /// Whether the same is answered to each repeat of the request.
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

    /// As when the platform's money there is less than any payout.
    func setBalanceLow(_ isLow: Bool) {
        state.withLock { $0.provider.isBalanceLow = isLow }
    }

    func payouts(since: Int, after: String?, limit: Int) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return state.provider.payouts(since: since, after: after, limit: limit)
            }
        }
    }

    /// A card's owner disputes a payment at the bank.
    ///
    /// - Returns: the dispute's id; nil when there is no such payment, or nothing was taken.
    func dispute(_ intent: String, _ amount: Int?, reason: String, as status: CardDispute.Status) -> String? {
        happen { provider, now throws(StripeError) in
            try provider.dispute(intent, amount, reason: reason, as: status, at: now).id
        }
    }

    /// The bank goes on with a dispute, or decides it.
    ///
    /// - Returns: whether there is such a dispute, which is open.
    func changeDispute(_ id: String, to status: CardDispute.Status) -> Bool {
        happen { provider, now throws(StripeError) in try provider.change(id, to: status, at: now) } != nil
    }

    /// Somebody gives a payment back in the dashboard.
    ///
    /// - Parameter amount: nil for all that is left of it.
    /// - Returns: whether that much of it was there.
    func refundOutside(_ intent: String, _ amount: Int?) -> Bool {
        happen { provider, now throws(StripeError) in try provider.refundOutside(intent, amount, at: now) } != nil
    }

    private func happen<Made>(
        _ body: (inout PaymentProvider, PaymentProvider.Moment) throws(StripeError) -> Made
    ) -> Made? {
        let now = Self.moment()
        let (made, events) = state.withLock { state -> (Made?, [ProviderEvent]) in
            // try?: every error says that there is nothing to do it with.
            let made = try? body(&state.provider, now)
            return (made, state.provider.takeEvents())
        }
        for event in events { webhooks.send(event) }
        return made
    }

    /// By currency, lower case.
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

    func method(_ id: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return try state.provider.known(id)
            }
        }
    }

    /// Where its pages are.
    func listen(at address: String) { state.withLock { $0.provider.address = address } }

    /// Customers' ways to pay that are stored.
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

    func refunds(of intent: String, after: String?, limit: Int) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in
                guard !state.provider.isDown else { throw .unavailable }
                return state.provider.refunds(of: intent, after: after, limit: limit)
            }
        }
    }

    /// As after a day: what was asked is forgotten, what came of it is not.
    func forgetKeys() { state.withLock { $0.kept = [:] } }

    func deleteCustomer(_ id: String) -> Answer {
        Self.answer { () throws(StripeError) in
            try state.withLock { state throws(StripeError) in try state.provider.deleteCustomer(id) }
        }
    }

    /// Whether this payment waits for whoever knows the key.
    func isWaiting(_ id: String, key: String) -> Bool {
        // try?: the one error says that it does not.
        state.withLock { (try? $0.provider.waiting(id, key: key)) != nil }
    }

    /// What the customer says on the payment's page.
    ///
    /// - Returns: where the customer goes back to; nil when nothing waits there for whoever knows this key.
    func answer(_ id: String, key: String, isYes: Bool) -> String? {
        let now = Self.moment()
        let (intent, events) = state.withLock { state -> (PaymentIntent?, [ProviderEvent]) in
            // try?: the one error says that there is nothing to answer.
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

    /// - Parameter key: the header `Idempotency-Key`. Refusals of the request itself are not kept, those of
    ///   carrying it out are, as at Stripe.
    func perform(_ command: ProviderCommand, _ form: FormParameters, key: String?) -> Answer {
        let now = Self.moment()
        let fingerprint = SHA256.hash(data: Data("\(command.path)?\(form.canonical)".utf8))
        let (answer, events) = state.withLock { state -> (Answer, [ProviderEvent]) in
            // One that is down repeats nothing either.
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
            status: error.status, json: StripeJSON.error(error), isKept: error.status == 402 || error.isOfExecution)
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
