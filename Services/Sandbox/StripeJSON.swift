import Foundation

/// Encodes the provider's values in Stripe's JSON.
enum StripeJSON {
    static func result(_ result: PaymentProvider.Result) -> Data {
        switch result {
        case .method(let id, let card, let customer):
            encode(Method(id: id, customer: customer, card: Method.Card(card)))
        case .token(let id, let type): encode(Token(id: id, type: type))
        case .intent(let intent, _): encode(Intent(intent))
        case .customer(let id, let isDeleted): encode(Customer(id: id, deleted: isDeleted))
        case .found(let intents): encode(Found(data: intents.map(Intent.init)))
        case .refunds(let refunds, let hasMore):
            encode(RefundList(data: refunds.map(Refund.init), hasMore: hasMore))
        case .refund(let refund): encode(Refund(refund))
        case .bankAccount(let token, let id, let account): encode(BankToken(token: token, id: id, account))
        case .payout(let payout, _): encode(PayoutObject(payout))
        case .payouts(let payouts, let hasMore):
            encode(PayoutList(data: payouts.map(PayoutObject.init), hasMore: hasMore))
        }
    }

    static func error(_ error: StripeError) -> Data {
        encode([
            "error": Failure(
                type: error.type, code: error.code, declineCode: error.declineCode, message: error.message,
                param: error.param, charge: error.intent?.charge, paymentIntent: error.intent.map(Intent.init))
        ])
    }

    static func event(_ event: ProviderEvent) -> Data {
        switch event.object {
        case .intent(let intent) where event.kind == .refunded: encode(Event(event, object: Charge(intent)))
        case .intent(let intent): encode(Event(event, object: Intent(intent)))
        case .payout(let payout): encode(Event(event, object: PayoutObject(payout)))
        case .refund(let refund): encode(Event(event, object: Refund(refund)))
        case .dispute(let dispute): encode(Event(event, object: Dispute(dispute)))
        }
    }

    static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // try?: these types cannot fail to encode.
        return (try? encoder.encode(value)) ?? Data("{}".utf8)
    }

    private struct Method: Encodable {
        struct Card: Encodable {
            let brand, last4, fingerprint: String
            let expMonth, expYear: Int
            let wallet: Wallet?

            init(_ card: TestCard) {
                brand = card.brand
                last4 = card.lastFour
                fingerprint = card.fingerprint
                expMonth = card.expiryMonth
                expYear = card.expiryYear
                wallet = card.wallet.map { Wallet(type: $0) }
            }
        }
        struct Wallet: Encodable { let type: String }
        let id: String
        let customer: String?
        let object = "payment_method"
        let type = "card"
        let livemode = false
        let card: Card
    }

    private struct Customer: Encodable {
        let id: String
        let object = "customer"
        let deleted: Bool
    }

    private struct Found: Encodable {
        let object = "search_result"
        let data: [Intent]
        let hasMore = false
    }

    private struct Token: Encodable {
        let id: String
        let object = "token"
        let type: String
        let livemode = false
    }

    private struct Intent: Encodable {
        struct Decline: Encodable {
            let type = "card_error"
            let code: String?
            let declineCode: String?
            let message: String
        }
        let id: String
        let object = "payment_intent"
        let livemode = false
        let status, captureMethod, currency: String
        let amount, amountCapturable, amountReceived, created: Int
        let latestCharge, paymentMethod: String?
        let metadata: [String: String]
        let lastPaymentError: Decline?
        let nextAction: NextAction?

        struct NextAction: Encodable {
            struct Redirect: Encodable { let url, returnUrl: String }
            let type = "redirect_to_url"
            let redirectToUrl: Redirect
        }

        init(_ intent: PaymentIntent) {
            id = intent.id
            status = intent.status.rawValue
            captureMethod = intent.captureMethod.rawValue
            currency = intent.currency
            amount = intent.amount
            amountCapturable = intent.amountCapturable
            amountReceived = intent.amountReceived
            created = intent.created
            latestCharge = intent.charge
            paymentMethod = intent.method
            metadata = intent.metadata
            lastPaymentError = intent.lastDecline.map {
                Decline(code: $0.code, declineCode: $0.declineCode, message: $0.message)
            }
            nextAction = intent.actionURL.map {
                NextAction(redirectToUrl: .init(url: $0, returnUrl: intent.returnURL ?? ""))
            }
        }
    }

    private struct Charge: Encodable {
        let id: String?
        let object = "charge"
        let paymentIntent, currency: String
        let amount, amountCaptured, amountRefunded: Int
        let refunded: Bool
        let metadata: [String: String]

        init(_ intent: PaymentIntent) {
            id = intent.charge
            paymentIntent = intent.id
            currency = intent.currency
            amount = intent.amount
            amountCaptured = intent.amountReceived
            amountRefunded = intent.amountRefunded
            refunded = intent.amountRefunded == intent.amountReceived
            metadata = intent.metadata
        }
    }

    private struct BankToken: Encodable {
        struct Account: Encodable {
            let id: String
            let object = "bank_account"
            let last4, country, accountHolderName, fingerprint: String
        }
        let id: String
        let object = "token"
        let type = "bank_account"
        let livemode = false
        let bankAccount: Account

        init(token: String, id: String, _ account: TestBankAccount) {
            self.id = token
            bankAccount = Account(
                id: id, last4: account.lastFour, country: account.country, accountHolderName: account.holder,
                fingerprint: account.fingerprint)
        }
    }

    private struct PayoutObject: Encodable {
        let id: String
        let object = "payout"
        let livemode = false
        let amount, created: Int
        let currency, destination, status: String
        let failureCode: String?
        let metadata: [String: String]

        init(_ payout: Payout) {
            id = payout.id
            amount = payout.amount
            created = payout.created
            currency = payout.currency
            destination = payout.destination
            status = payout.status.rawValue
            failureCode = payout.failureCode
            metadata = payout.metadata
        }
    }

    private struct PayoutList: Encodable {
        let object = "list"
        let data: [PayoutObject]
        let hasMore: Bool
    }

    private struct RefundList: Encodable {
        let object = "list"
        let data: [Refund]
        let hasMore: Bool
    }

    private struct Refund: Encodable {
        let id: String
        let object = "refund"
        let status: String
        let amount: Int
        let currency, paymentIntent: String
        let charge: String?
        let metadata: [String: String]

        init(_ refund: MadeRefund) {
            id = refund.id
            status = refund.status.rawValue
            amount = refund.amount
            currency = refund.currency
            paymentIntent = refund.intent
            charge = refund.charge
            metadata = refund.metadata
        }
    }

    private struct Dispute: Encodable {
        let id: String
        let object = "dispute"
        let livemode = false
        let amount, created: Int
        let currency, paymentIntent, reason, status: String
        let charge: String?
        // Empty: a dispute does not have its charge's metadata, as at Stripe.
        let metadata: [String: String] = [:]

        init(_ dispute: CardDispute) {
            id = dispute.id
            amount = dispute.amount
            created = dispute.created
            currency = dispute.currency
            paymentIntent = dispute.intent
            reason = dispute.reason
            status = dispute.status.rawValue
            charge = dispute.charge
        }
    }

    private struct Failure: Encodable {
        let type: String
        let code, declineCode: String?
        let message: String
        let param, charge: String?
        let paymentIntent: Intent?
    }

    private struct Event<Object: Encodable>: Encodable {
        struct Payload: Encodable { let object: Object }
        let id: String
        let object = "event"
        let apiVersion = StripeAPI.version
        let livemode = false
        let type: String
        let created: Int
        let data: Payload

        init(_ event: ProviderEvent, object: Object) {
            id = event.id
            type = event.kind.rawValue
            created = event.created
            data = Payload(object: object)
        }
    }
}
