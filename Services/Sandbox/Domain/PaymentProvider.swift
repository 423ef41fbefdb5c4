import Foundation

/// The payment provider: cards, payments and books, without clock, random values or IO of its own.
struct PaymentProvider: Sendable {
    /// The object that a command has created or found.
    enum Result: Sendable, Equatable {
        case method(id: String, TestCard, customer: String?)
        case token(id: String, type: String)
        case intent(PaymentIntent, answerIsLost: Bool = false)
        case refund(MadeRefund)
        case bankAccount(token: String, id: String, TestBankAccount)
        case payout(Payout, answerIsLost: Bool = false)
        case refunds([MadeRefund], hasMore: Bool)
        case payouts([Payout], hasMore: Bool)
        case customer(id: String, isDeleted: Bool)
        case found([PaymentIntent])
    }

    struct Moment: Sendable {
        /// In seconds since 1970.
        let seconds: Int
        let year: Int
        let month: Int
        /// A random text that cannot be guessed.
        let secret: String

        init(_ date: Date, secret: String) {
            self.secret = secret
            seconds = Int(date.timeIntervalSince1970)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            year = calendar.component(.year, from: date)
            month = calendar.component(.month, from: date)
        }
    }

    /// Every request is answered with a 503.
    var isDown = false
    /// Every payout is refused.
    var isBalanceLow = false
    /// Guards the internal faults, which happen once: bank accounts whose first payout has failed, payment methods
    /// whose first payment has, and payments whose first capture, cancellation or refund has.
    var failedInside: Set<String> = []
    /// The base URL of the pages for customers.
    var address = ""
    private let salt: String
    private var made = 0
    var methods: [String: StoredMethod] = [:]
    var customers: Set<String> = []
    private var tokens: Set<String> = []
    /// The tokens made from Apple Pay; each makes one payment method.
    var applePayTokens: Set<String> = []
    private var intents: [String: PaymentIntent] = [:]
    var bankAccounts: [String: TestBankAccount] = [:]
    /// Oldest first.
    var payouts: [Payout] = []
    var events: [ProviderEvent] = []
    /// Oldest first.
    var refunds: [MadeRefund] = []
    /// By id.
    var disputes: [String: CardDispute] = [:]
    /// A CVV's token that is good any number of times, as Stripe's own test tokens are.
    static let testCVVToken = "cvctok_test"
    /// By lower-case currency.
    var totals: [String: PaymentTotals] = [:]

    /// - Parameter salt: a part of all ids, so that the ids of two runs differ.
    init(salt: String) {
        self.salt = salt
    }

    mutating func perform(
        _ command: ProviderCommand, _ form: FormParameters, at now: Moment
    ) throws(StripeError) -> Result {
        guard !isDown else { throw .unavailable }
        try command.parameters.check(form)
        switch command {
        case .createMethod: return try createMethod(form, now)
        case .createToken: return try createToken(form)
        case .createIntent: return try createIntent(form, now)
        case .createRefund: return try createRefund(form, now)
        case .createPayout: return try createPayout(form, now)
        case .createCustomer: return createCustomer(form)
        case .updateMethod(let id): return try updateMethod(id, form, now)
        case .attach(let id): return try attach(id, form)
        case .detach(let id): return try detach(id)
        case .confirm(let id): return try confirm(try intent(id), form, now)
        case .capture(let id): return .intent(try capture(try intent(id), form, now))
        case .cancel(let id): return .intent(try cancel(try intent(id), now))
        }
    }

    /// - Returns: nil if the request has no internal fault; otherwise whether it is carried out before the fault.
    private mutating func fault(_ step: String, _ intent: PaymentIntent) -> Bool? {
        guard case .failsInside(.later, let isDone)? = intent.method.flatMap({ methods[$0] })?.behaviour,
            failedInside.insert("\(step) \(intent.id)").inserted
        else { return nil }
        return isDone
    }

    func intent(_ id: String) throws(StripeError) -> PaymentIntent {
        guard let intent = intents[id] else { throw .noSuch("payment_intent", id, param: "intent") }
        return intent
    }

    /// Takes the events since the last call.
    mutating func takeEvents() -> [ProviderEvent] {
        defer { events = [] }
        return events
    }

    private mutating func createToken(_ form: FormParameters) throws(StripeError) -> Result {
        if form["bank_account[account_number]"] != nil {
            let account = try TestBankAccount(form)
            let id = makeID("ba")
            bankAccounts[id] = account
            return .bankAccount(token: makeID("btok"), id: id, account)
        }
        if let paymentData = form["pk_token"] {
            // Encrypted by a phone for the payment provider alone, so any object will do.
            guard paymentData.hasPrefix("{") else { throw .invalid("This is no paymentData.", param: "pk_token") }
            let id = makeID("tok")
            applePayTokens.insert(id)
            return .token(id: id, type: "card")
        }
        try TestCard.checkCode(try form.required("cvc_update[cvc]"))
        let id = makeID("cvctok")
        tokens.insert(id)
        return .token(id: id, type: "cvc_update")
    }

    private mutating func createIntent(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        guard let amount = try form.integer("amount") else { throw .missing("amount") }
        let currency = try ProviderCurrencies.checked(try form.required("currency"))
        try AmountRules.checkCharge(amount, currency)
        guard let captureMethod = PaymentIntent.CaptureMethod(rawValue: form["capture_method"] ?? "automatic") else {
            throw .invalid("Invalid capture_method.", param: "capture_method")
        }
        let method = try chosenMethod(form)
        let intent = PaymentIntent(
            id: makeID("pi"), amount: amount, currency: currency, captureMethod: captureMethod, method: method,
            metadata: form.group("metadata"), created: now.seconds, returnURL: form["return_url"],
            clientSecret: now.secret)
        guard form["confirm"] == "true" else {
            intents[intent.id] = intent
            return .intent(intent)
        }
        return try confirm(intent, form, now)
    }

    /// The stored payment method, or a new one that the request describes.
    private mutating func chosenMethod(_ form: FormParameters) throws(StripeError) -> String? {
        if form["payment_method_data[type]"] == "paypal" {
            let id = makeID("pm")
            methods[id] = StoredMethod(kind: .payPal)
            return id
        }
        guard let id = form["payment_method"] else { return nil }
        _ = try usable(id, form)
        return id
    }

    private func usable(_ id: String, _ form: FormParameters) throws(StripeError) -> StoredMethod {
        guard let method = methods[id] else {
            throw .noSuch("PaymentMethod", id, status: 400, param: "payment_method")
        }
        guard !method.isUsedUp else { throw .methodUsedUp }
        guard method.customer == form["customer"] else {
            throw .invalid("The PaymentMethod does not belong to this customer.", param: "payment_method")
        }
        guard form["payment_method_types[0]"] ?? method.type == method.type else {
            throw .invalid("The PaymentMethod is of another type.", param: "payment_method")
        }
        return method
    }

    private mutating func confirm(
        _ current: PaymentIntent, _ form: FormParameters, _ now: Moment
    ) throws(StripeError) -> Result {
        var intent = current
        try intent.checkConfirmable()
        guard let id = form["payment_method"] ?? intent.method else { throw .missing("payment_method") }
        let method = try usable(id, form)
        let parameter = "payment_method_options[card][cvc_token]"
        if let token = form[parameter], token != Self.testCVVToken, tokens.remove(token) == nil {
            throw .noSuch("token", token, status: 400, param: parameter)
        }
        if method.behaviour == .isUnavailable { throw .unavailable }
        let isOffSession = form["off_session"] == "true"
        switch method.behaviour {
        case .isUnavailable: throw .unavailable
        case .declines(let error): throw try decline(&intent, error, now)
        case .asks(let alsoOffSession, _) where isOffSession && alsoOffSession:
            throw try decline(&intent, .authenticationRequired, now)
        case .asks where !isOffSession:
            guard intent.returnURL != nil else { throw .missing("return_url") }
            try intent.challenge(method: id, url: "\(address)/redirect/\(intent.id)?key=\(intent.clientSecret)")
            useUp(id)
            store(intent, .actionRequired, now)
            return .intent(intent)
        case .failsInside(.confirmation, let isDone) where failedInside.insert(id).inserted:
            if isDone {
                try approve(&intent, id, now)
                useUp(id)
            }
            throw .internalFault
        case .approves, .losesAnswer, .failsInside, .asks, .failsRefunds:
            try approve(&intent, id, now)
            useUp(id)
            return .intent(intent, answerIsLost: method.behaviour == .losesAnswer)
        }
    }

    /// Marks a payment method without a customer as used, because it is valid for one payment.
    private mutating func useUp(_ method: String) {
        if methods[method]?.customer == nil { methods[method]?.isUsedUp = true }
    }

    /// Answers the question on a payment's page for the customer.
    ///
    /// - Parameter key: the key in the page's URL.
    /// - Returns: the changed payment.
    mutating func answer(_ id: String, key: String, isYes: Bool, at now: Moment) throws(StripeError) -> PaymentIntent {
        var intent = try waiting(id, key: key)
        guard let method = intent.method.flatMap({ methods[$0] }), let methodID = intent.method else {
            throw .unexpectedState(intent, "answered")
        }
        guard isYes else {
            _ = try decline(&intent, .authenticationFailed, now)
            return intent
        }
        if case .asks(_, let error?) = method.behaviour {
            _ = try decline(&intent, error, now)
        } else {
            try approve(&intent, methodID, now)
        }
        return intent
    }

    /// Finds a payment that waits for its customer; without the right key it does not exist.
    func waiting(_ id: String, key: String) throws(StripeError) -> PaymentIntent {
        guard let intent = intents[id], intent.status == .requiresAction, !key.isEmpty, intent.clientSecret == key
        else { throw .noSuch("payment_intent", id, param: "intent") }
        return intent
    }

    func search(metadata name: String, _ value: String) -> [PaymentIntent] {
        intents.values.filter { $0.metadata[name] == value }.sorted { $0.id < $1.id }
    }

    private mutating func approve(_ intent: inout PaymentIntent, _ method: String, _ now: Moment) throws(StripeError) {
        try intent.approve(charge: makeID("ch"), method: method)
        totals[intent.currency, default: PaymentTotals()].payments += 1
        totals[intent.currency, default: PaymentTotals()].authorised += intent.amount
        totals[intent.currency, default: PaymentTotals()].captured += intent.amountReceived
        store(intent, intent.status == .succeeded ? .succeeded : .capturable, now)
    }

    private mutating func decline(
        _ intent: inout PaymentIntent, _ error: StripeError, _ now: Moment
    ) throws(StripeError) -> StripeError {
        try intent.decline(charge: makeID("ch"), error)
        store(intent, .failed, now)
        var error = error
        error.intent = intent
        return error
    }

    private mutating func capture(
        _ current: PaymentIntent, _ form: FormParameters, _ now: Moment
    ) throws(StripeError) -> PaymentIntent {
        var intent = current
        let fault = fault("capture", intent)
        if fault == false { throw .internalFault }
        let released = try intent.capture(try form.integer("amount_to_capture"))
        totals[intent.currency, default: PaymentTotals()].captured += intent.amountReceived
        totals[intent.currency, default: PaymentTotals()].cancelled += released
        store(intent, .succeeded, now)
        if fault == true { throw .internalFault }
        return intent
    }

    private mutating func cancel(_ current: PaymentIntent, _ now: Moment) throws(StripeError) -> PaymentIntent {
        var intent = current
        let fault = fault("cancel", intent)
        if fault == false { throw .internalFault }
        totals[intent.currency, default: PaymentTotals()].cancelled += try intent.cancel()
        store(intent, .canceled, now)
        if fault == true { throw .internalFault }
        return intent
    }

    mutating func createRefund(_ form: FormParameters, _ now: Moment) throws(StripeError) -> Result {
        let id = try form.required("payment_intent")
        guard var intent = intents[id] else {
            throw .noSuch("payment_intent", id, status: 400, param: "payment_intent")
        }
        let fault = fault("refund", intent)
        if fault == false { throw .internalFault }
        guard !disputes.values.contains(where: { $0.intent == id && $0.status.isChargedBack }) else {
            throw .chargeDisputed
        }
        let wanted = try form.integer("amount")
        try AmountRules.checkRefund(wanted, intent.currency)
        let amount = try intent.refund(wanted)
        var refund = MadeRefund(
            id: makeID("re"), status: .succeeded, amount: amount, currency: intent.currency, intent: id,
            charge: intent.charge, metadata: form.group("metadata"))
        if case .failsRefunds(let isLater)? = intent.method.flatMap({ methods[$0] })?.behaviour {
            // The payment itself stays unrefunded.
            refund.status = .failed
            refunds.append(refund)
            events.append(
                ProviderEvent(id: makeID("evt"), kind: .refundFailed, created: now.seconds, object: .refund(refund)))
            if isLater { refund.status = .pending }
            return .refund(refund)
        }
        totals[intent.currency, default: PaymentTotals()].refunded += amount
        store(intent, .refunded, now)
        refunds.append(refund)
        if fault == true { throw .internalFault }
        return .refund(refund)
    }

    /// A page of the refunds of a payment, or of all, newest first.
    func refunds(of intent: String?, after: String?, limit: Int) throws(StripeError) -> Result {
        if let intent, intents[intent] == nil {
            throw .noSuch("payment_intent", intent, status: 400, param: "payment_intent")
        }
        var found = Array(refunds.filter { intent == nil || $0.intent == intent }.reversed())
        if let after {
            guard let place = found.firstIndex(where: { $0.id == after }) else {
                throw .noSuch("refund", after, status: 400, param: "starting_after")
            }
            found.removeFirst(place + 1)
        }
        return .refunds(Array(found.prefix(limit)), hasMore: found.count > limit)
    }

    private mutating func store(_ intent: PaymentIntent, _ kind: ProviderEvent.Kind, _ now: Moment) {
        intents[intent.id] = intent
        events.append(ProviderEvent(id: makeID("evt"), kind: kind, created: now.seconds, object: .intent(intent)))
    }

    mutating func makeID(_ prefix: String) -> String {
        made += 1
        return "\(prefix)_\(salt)\(made)"
    }
}
