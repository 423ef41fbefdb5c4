import Foundation

/// The payment provider: cards, payments and books, without a clock, ids or IO of its own.
struct PaymentProvider: Sendable {
    /// What a command has made.
    enum Result: Sendable, Equatable {
        case method(id: String, TestCard)
        case token(id: String)
        case intent(PaymentIntent, answerIsLost: Bool = false)
        case refund(id: String, amount: Int, PaymentIntent)
        case bankAccount(token: String, id: String, TestBankAccount)
        case payout(Payout, answerIsLost: Bool = false)
    }

    struct Moment: Sendable {
        /// Seconds since 1970.
        let seconds: Int
        let year: Int
        let month: Int

        init(_ date: Date) {
            seconds = Int(date.timeIntervalSince1970)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            year = calendar.component(.year, from: date)
            month = calendar.component(.month, from: date)
        }
    }

    /// Every request that would move money is answered with a 503.
    var isDown = false
    private let salt: String
    private var made = 0
    private var methods: [String: TestCard] = [:]
    private var tokens: Set<String> = []
    private var intents: [String: PaymentIntent] = [:]
    private var bankAccounts: [String: TestBankAccount] = [:]
    private var payouts: [String: Payout] = [:]
    private var events: [ProviderEvent] = []
    /// By currency, lower case.
    private(set) var totals: [String: PaymentTotals] = [:]

    /// - Parameter salt: part of all ids, so that those of two runs differ.
    init(salt: String) {
        self.salt = salt
    }

    mutating func perform(
        _ command: ProviderCommand, _ form: FormParameters, at now: Moment
    ) throws(StripeError) -> Result {
        guard !isDown else { throw .unavailable }
        switch command {
        case .createMethod: return try createMethod(form, now)
        case .createToken: return try createToken(form)
        case .createIntent: return try createIntent(form, now)
        case .createRefund: return try createRefund(form, now)
        case .createPayout: return try createPayout(form, now)
        case .confirm(let id): return try confirm(try intent(id), form, now)
        case .capture(let id): return .intent(try capture(try intent(id), form, now))
        case .cancel(let id): return .intent(try cancel(try intent(id), now))
        }
    }

    func intent(_ id: String) throws(StripeError) -> PaymentIntent {
        guard let intent = intents[id] else { throw .noSuch("payment_intent", id, param: "intent") }
        return intent
    }

    /// What has happened since it was asked last.
    mutating func takeEvents() -> [ProviderEvent] {
        defer { events = [] }
        return events
    }

    private mutating func createMethod(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard try form.required("type") == "card" else {
            throw .invalid("The sandbox knows cards only.", param: "type")
        }
        let card = try TestCard(form, today: (now.year, now.month))
        let id = makeID("pm")
        methods[id] = card
        return .method(id: id, card)
    }

    private mutating func createToken(_ form: FormParameters) throws(StripeError) -> Result {
        if form["bank_account[account_number]"] != nil {
            let account = try TestBankAccount(form)
            let id = makeID("ba")
            bankAccounts[id] = account
            return .bankAccount(token: makeID("btok"), id: id, account)
        }
        try TestCard.checkCode(try form.required("cvc_update[cvc]"))
        let id = makeID("cvctok")
        tokens.insert(id)
        return .token(id: id)
    }

    private mutating func createIntent(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard let amount = try form.integer("amount") else { throw .missing("amount") }
        guard (1...99_999_999).contains(amount) else {
            throw .invalid("The amount must be between 1 and 99999999.", code: "amount_too_small", param: "amount")
        }
        let currency = try form.required("currency").lowercased()
        guard currency.count == 3, currency.allSatisfy({ ("a"..."z").contains($0) }) else {
            throw .invalid("Invalid currency: \(currency).", param: "currency")
        }
        guard let captureMethod = PaymentIntent.CaptureMethod(rawValue: form["capture_method"] ?? "automatic") else {
            throw .invalid("Invalid capture_method.", param: "capture_method")
        }
        let method = form["payment_method"]
        if let method { _ = try card(method) }
        let intent = PaymentIntent(
            id: makeID("pi"), amount: amount, currency: currency, captureMethod: captureMethod, method: method,
            metadata: form.group("metadata"), created: now.seconds)
        guard form["confirm"] == "true" else {
            intents[intent.id] = intent
            return .intent(intent)
        }
        return try confirm(intent, form, now)
    }

    private mutating func confirm(
        _ current: PaymentIntent, _ form: FormParameters, _ now: Moment
    ) throws(StripeError) -> Result {
        var intent = current
        try intent.checkConfirmable()
        guard let method = form["payment_method"] ?? intent.method else { throw .missing("payment_method") }
        let card = try card(method)
        let parameter = "payment_method_options[card][cvc_token]"
        if let token = form[parameter], tokens.remove(token) == nil {
            throw .noSuch("token", token, status: 400, param: parameter)
        }
        let charge = makeID("ch")
        switch card.behaviour {
        case .isUnavailable:
            throw .unavailable
        case .declines(var error):
            try intent.decline(charge: charge, error)
            store(intent, .failed, now)
            error.intent = intent
            throw error
        case .approves, .losesAnswer:
            try intent.approve(charge: charge, method: method)
            totals[intent.currency, default: PaymentTotals()].payments += 1
            totals[intent.currency, default: PaymentTotals()].authorised += intent.amount
            totals[intent.currency, default: PaymentTotals()].captured += intent.amountReceived
            store(intent, intent.status == .succeeded ? .succeeded : .capturable, now)
            return .intent(intent, answerIsLost: card.behaviour == .losesAnswer)
        }
    }

    private mutating func capture(
        _ current: PaymentIntent, _ form: FormParameters, _ now: Moment
    ) throws(StripeError) -> PaymentIntent {
        var intent = current
        let released = try intent.capture(try form.integer("amount_to_capture"))
        totals[intent.currency, default: PaymentTotals()].captured += intent.amountReceived
        totals[intent.currency, default: PaymentTotals()].cancelled += released
        store(intent, .succeeded, now)
        return intent
    }

    private mutating func cancel(_ current: PaymentIntent, _ now: Moment) throws(StripeError) -> PaymentIntent {
        var intent = current
        totals[intent.currency, default: PaymentTotals()].cancelled += try intent.cancel()
        store(intent, .canceled, now)
        return intent
    }

    private mutating func createRefund(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        let id = try form.required("payment_intent")
        guard var intent = intents[id] else {
            throw .noSuch("payment_intent", id, status: 400, param: "payment_intent")
        }
        let amount = try intent.refund(try form.integer("amount"))
        totals[intent.currency, default: PaymentTotals()].refunded += amount
        store(intent, .refunded, now)
        return .refund(id: makeID("re"), amount: amount, intent)
    }

    func payout(_ id: String) throws(StripeError) -> Payout {
        guard let payout = payouts[id] else { throw .noSuch("payout", id, param: "payout") }
        return payout
    }

    /// The answer says `pending`; what becomes of it stands in the books at once, and is told by webhook.
    private mutating func createPayout(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard let amount = try form.integer("amount"), amount > 0 else { throw .missing("amount") }
        let destination = try form.required("destination")
        guard bankAccounts[destination] != nil || methods[destination] != nil else {
            throw .noSuch("external account", destination, status: 400, param: "destination")
        }
        let behaviour = bankAccounts[destination]?.behaviour ?? .pays
        guard behaviour != .isUnavailable else { throw .unavailable }
        let made = Payout(
            id: makeID("po"), amount: amount, currency: try form.required("currency").lowercased(),
            destination: destination, metadata: form.group("metadata"), created: now.seconds)
        var settled = made
        settled.status = .paid
        if case .fails(let code) = behaviour {
            settled.status = .failed
            settled.failureCode = code
        } else {
            totals[made.currency, default: PaymentTotals()].paidOut += amount
        }
        payouts[made.id] = settled
        events.append(
            ProviderEvent(
                id: makeID("evt"), kind: settled.status == .paid ? .payoutPaid : .payoutFailed, created: now.seconds,
                object: .payout(settled)))
        return .payout(made, answerIsLost: behaviour == .losesAnswer)
    }

    private func card(_ method: String) throws(StripeError) -> TestCard {
        guard let card = methods[method] else {
            throw .noSuch("PaymentMethod", method, status: 400, param: "payment_method")
        }
        return card
    }

    private mutating func store(_ intent: PaymentIntent, _ kind: ProviderEvent.Kind, _ now: Moment) {
        intents[intent.id] = intent
        events.append(ProviderEvent(id: makeID("evt"), kind: kind, created: now.seconds, object: .intent(intent)))
    }

    private mutating func makeID(_ prefix: String) -> String {
        made += 1
        return "\(prefix)_\(salt)\(made)"
    }
}
