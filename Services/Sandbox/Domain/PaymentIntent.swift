/// A payment at the provider, with its allowed transitions.
struct PaymentIntent: Sendable, Equatable {
    enum Status: String, Sendable {
        case requiresPaymentMethod = "requires_payment_method"
        case requiresConfirmation = "requires_confirmation"
        /// The customer has to answer on another page and come back.
        case requiresAction = "requires_action"
        case requiresCapture = "requires_capture"
        case succeeded, canceled
    }

    enum CaptureMethod: String, Sendable { case manual, automatic }

    let id: String
    /// In minor units.
    let amount: Int
    /// Lower case, as at Stripe.
    let currency: String
    let captureMethod: CaptureMethod
    let metadata: [String: String]
    /// The page to which the customer returns.
    let returnURL: String?
    /// The secret that allows answering for the customer.
    let clientSecret: String
    /// In seconds since 1970.
    let created: Int
    private(set) var status: Status
    private(set) var method: String?
    private(set) var amountCapturable = 0
    private(set) var amountReceived = 0
    private(set) var amountRefunded = 0
    private(set) var charge: String?
    private(set) var lastDecline: Decline?
    /// The page that the customer has to visit.
    private(set) var actionURL: String?

    struct Decline: Sendable, Equatable {
        let code: String?
        let declineCode: String?
        let message: String
    }

    init(
        id: String, amount: Int, currency: String, captureMethod: CaptureMethod, method: String?,
        metadata: [String: String], created: Int, returnURL: String? = nil, clientSecret: String = ""
    ) {
        self.id = id
        self.amount = amount
        self.currency = currency
        self.captureMethod = captureMethod
        self.method = method
        self.metadata = metadata
        self.created = created
        self.returnURL = returnURL
        self.clientSecret = clientSecret
        status = method == nil ? .requiresPaymentMethod : .requiresConfirmation
    }

    /// Throws unless the payment can be confirmed now.
    func checkConfirmable() throws(StripeError) {
        guard status == .requiresConfirmation || status == .requiresPaymentMethod else {
            throw .unexpectedState(self, "confirmed")
        }
    }

    /// Sends the customer to a page for an answer.
    mutating func challenge(method: String, url: String) throws(StripeError) {
        try checkConfirmable()
        self.method = method
        status = .requiresAction
        actionURL = url
        lastDecline = nil
    }

    mutating func approve(charge: String, method: String) throws(StripeError) {
        if status != .requiresAction { try checkConfirmable() }
        self.charge = charge
        self.method = method
        actionURL = nil
        lastDecline = nil
        switch captureMethod {
        case .manual:
            status = .requiresCapture
            amountCapturable = amount
        case .automatic:
            status = .succeeded
            amountReceived = amount
        }
    }

    mutating func decline(charge: String, _ error: StripeError) throws(StripeError) {
        if status != .requiresAction { try checkConfirmable() }
        self.charge = charge
        actionURL = nil
        status = .requiresPaymentMethod
        method = nil
        lastDecline = Decline(code: error.code, declineCode: error.declineCode, message: error.message)
    }

    /// - Returns: the released rest, if less than the whole was captured.
    mutating func capture(_ wanted: Int?) throws(StripeError) -> Int {
        guard status == .requiresCapture else { throw .unexpectedState(self, "captured") }
        let captured = wanted ?? amountCapturable
        guard captured > 0 else { throw .invalid("This value must be greater than 0.", param: "amount_to_capture") }
        guard captured <= amountCapturable else {
            throw .invalid(
                "The amount to capture is greater than the amount that can be captured.", code: "amount_too_large",
                param: "amount_to_capture")
        }
        let released = amountCapturable - captured
        status = .succeeded
        amountCapturable = 0
        amountReceived = captured
        return released
    }

    /// - Returns: the released amount.
    mutating func cancel() throws(StripeError) -> Int {
        guard status != .succeeded, status != .canceled else { throw .unexpectedState(self, "canceled") }
        let released = amountCapturable
        status = .canceled
        amountCapturable = 0
        actionURL = nil
        return released
    }

    /// - Returns: the refunded amount.
    mutating func refund(_ wanted: Int?) throws(StripeError) -> Int {
        guard status == .succeeded else { throw .unexpectedState(self, "refunded") }
        let left = amountReceived - amountRefunded
        guard left > 0 else {
            throw .invalid(
                "The charge has already been refunded.", code: "charge_already_refunded", param: "payment_intent")
        }
        let refunded = wanted ?? left
        guard refunded > 0 else { throw .invalid("This value must be greater than 0.", param: "amount") }
        guard refunded <= left else {
            throw .invalid(
                "Refund amount is greater than unrefunded amount on charge.", code: "amount_too_large", param: "amount")
        }
        amountRefunded += refunded
        return refunded
    }
}
