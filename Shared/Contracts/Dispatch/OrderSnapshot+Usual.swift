import Foundation
public import Messaging

// Hand-written JSON for snapshots. Each change of an order is written once and read by four services and the parties'
// phones, and JSON by Foundation took a ninth of all their work. A field that is added to the snapshot must be added
// here too. Until then a body with the field is read by Foundation, and a snapshot written here lacks the field, which
// the contract tests detect.

extension OrderSnapshot: UsuallyWritten {
    /// The snapshot's fields read so far, whether they stand in an event or among other fields.
    public struct UsualFields {
        private var (order, report): (UUID?, UUID?)
        private var (market, kind, reason): (String?, String?, String?)
        private var (version, acceptance, roughPrice): (Int?, Int?, Int?)
        private var state: State?
        private var (customer, provider): (Party?, Party?)
        private var services: [Service]?
        private var (total, fine, deposit): (Money?, Money?, Money?)
        private var payment: Payment?
        private var confirmedBy: [Actor]?
        private var (deadline, requestedAt, changedAt, scheduledAt): (Date?, Date?, Date?, Date?)
        private var by: Actor?
        private var shares: [Share]?
        private var paysByConsent: Bool?
        private var outcome: Outcome?
        private var promo: Promo?
        private var consent: Consent?

        public init() {}

        /// Reads the field's value.
        /// - Returns: false, without reading, for a field that a snapshot does not have or that was read already.
        public mutating func read(_ key: String, _ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Bool {
            switch key {
            case "order" where order == nil: order = try json.id()
            case "market" where market == nil: market = try json.text()
            case "kind" where kind == nil: kind = try json.text()
            case "version" where version == nil: version = try json.integer()
            case "state" where state == nil: state = try json.choice(State.self)
            case "customer" where customer == nil: customer = try Party(usual: &json)
            case "provider" where provider == nil: provider = try Party(usual: &json)
            case "services" where services == nil:
                services = try json.array { json throws(FastJSON.UnsupportedJSON) in try Service(usual: &json) }
            case "total" where total == nil: total = try Money(usual: &json)
            case "payment" where payment == nil: payment = try Payment(usual: &json)
            case "confirmedBy" where confirmedBy == nil:
                confirmedBy = try json.array { json throws(FastJSON.UnsupportedJSON) in try json.choice(Actor.self) }
            case "deadline" where deadline == nil: deadline = try json.time()
            case "by" where by == nil: by = try json.choice(Actor.self)
            case "reason" where reason == nil: reason = try json.text()
            case "requestedAt" where requestedAt == nil: requestedAt = try json.time()
            case "changedAt" where changedAt == nil: changedAt = try json.time()
            default: return try readRare(key, &json)
            }
            return true
        }

        private mutating func readRare(_ key: String, _ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Bool {
            switch key {
            case "fine" where fine == nil: fine = try Money(usual: &json)
            case "deposit" where deposit == nil: deposit = try Money(usual: &json)
            case "acceptance" where acceptance == nil: acceptance = try json.integer()
            case "shares" where shares == nil:
                shares = try json.array { json throws(FastJSON.UnsupportedJSON) in try Share(usual: &json) }
            case "report" where report == nil: report = try json.id()
            case "paysByConsent" where paysByConsent == nil: paysByConsent = try json.flag()
            case "outcome" where outcome == nil: outcome = try Outcome(usual: &json)
            case "scheduledAt" where scheduledAt == nil: scheduledAt = try json.time()
            case "promo" where promo == nil: promo = try Promo(usual: &json)
            case "consent" where consent == nil: consent = try Consent(usual: &json)
            case "roughPrice" where roughPrice == nil: roughPrice = try json.integer()
            default: return false
            }
            return true
        }

        /// The snapshot; nil when a required field is missing.
        public var snapshot: OrderSnapshot? {
            guard let order, let market, let kind, let version, let state, let customer, let services, let total,
                let payment, let confirmedBy, let by, let requestedAt, let changedAt
            else { return nil }
            var snapshot = OrderSnapshot(
                order: order, market: market, kind: kind, version: version, state: state, customer: customer,
                provider: provider, services: services, total: total, payment: payment, confirmedBy: confirmedBy,
                deadline: deadline, by: by, reason: reason, requestedAt: requestedAt, changedAt: changedAt, fine: fine,
                deposit: deposit, shares: shares, report: report)
            snapshot.acceptance = acceptance
            snapshot.paysByConsent = paysByConsent
            snapshot.outcome = outcome
            snapshot.scheduledAt = scheduledAt
            snapshot.promo = promo
            snapshot.consent = consent
            snapshot.roughPrice = roughPrice
            return snapshot
        }
    }

    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var fields = UsualFields()
        try json.beginObject()
        while let key = try json.nextKey() {
            guard try fields.read(key, &json) else { throw FastJSON.UnsupportedJSON() }
        }
        guard let snapshot = fields.snapshot else { throw FastJSON.UnsupportedJSON() }
        self = snapshot
    }

    public var usualBody: [UInt8]? {
        var object = UsualObject(capacity: 1_024)
        write(&object)
        return object.end()
    }

    func write(_ json: inout UsualObject) {
        json.add("order", order)
        json.add("market", text: market)
        json.add("kind", text: kind)
        json.add("version", version)
        json.add("state", word: state.rawValue)
        json.add("customer") { customer.write(&$0) }
        if let provider { json.add("provider") { provider.write(&$0) } }
        json.add("services", services) { service, json in
            json.add("service", text: service.service)
            json.add("name", texts: service.name.texts)
            json.add("price", service.price)
        }
        json.add("total") { total.write(&$0) }
        json.add("payment") { json in
            if let method = payment.method { json.add("method", text: method) }
            json.add("state", word: payment.state.rawValue)
        }
        json.add("confirmedBy", words: confirmedBy.map(\.rawValue))
        if let deadline { json.add("deadline", deadline) }
        json.add("by", word: by.rawValue)
        if let reason { json.add("reason", text: reason) }
        json.add("requestedAt", requestedAt)
        json.add("changedAt", changedAt)
        writeRare(&json)
    }

    private func writeRare(_ json: inout UsualObject) {
        if let fine { json.add("fine") { fine.write(&$0) } }
        if let deposit { json.add("deposit") { deposit.write(&$0) } }
        if let acceptance { json.add("acceptance", acceptance) }
        if let shares {
            json.add("shares", shares) { share, json in
                json.add("party", word: share.party.rawValue)
                json.add("account", share.account)
                json.add("name", text: share.name)
                json.add("amount", share.amount)
            }
        }
        if let report { json.add("report", report) }
        if let paysByConsent { json.add("paysByConsent", paysByConsent) }
        if let outcome { json.add("outcome") { outcome.write(&$0) } }
        if let scheduledAt { json.add("scheduledAt", scheduledAt) }
        if let promo {
            json.add("promo") { json in
                json.add("code", text: promo.code)
                json.add("discount", promo.discount)
            }
        }
        if let consent {
            json.add("consent") { json in
                json.add("method", word: consent.method.rawValue)
                if let card = consent.card { json.add("card", card) }
                json.add("agreedAt", consent.agreedAt)
                if let upTo = consent.upTo { json.add("upTo", upTo) }
            }
        }
        if let roughPrice { json.add("roughPrice", roughPrice) }
    }
}

// MARK: Parts

extension OrderSnapshot.Party {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var account: UUID?
        var name: String?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "account" where account == nil: account = try json.id()
            case "name" where name == nil: name = try json.text()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let account, let name else { throw FastJSON.UnsupportedJSON() }
        self.init(account: account, name: name)
    }

    func write(_ json: inout UsualObject) {
        json.add("account", account)
        json.add("name", text: name)
    }
}

extension OrderSnapshot.Service {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var service: String?
        var name: LocalizedText?
        var price: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "service" where service == nil: service = try json.text()
            case "name" where name == nil: name = try LocalizedText(usual: &json)
            case "price" where price == nil: price = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let service, let name, let price else { throw FastJSON.UnsupportedJSON() }
        self.init(service: service, name: name, price: price)
    }
}

extension OrderSnapshot.Share {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var party: Payee?
        var account: UUID?
        var name: String?
        var amount: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "party" where party == nil: party = try json.choice(Payee.self)
            case "account" where account == nil: account = try json.id()
            case "name" where name == nil: name = try json.text()
            case "amount" where amount == nil: amount = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let party, let account, let name, let amount else { throw FastJSON.UnsupportedJSON() }
        self.init(party: party, account: account, name: name, amount: amount)
    }
}

extension OrderSnapshot.Payment {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var method: String?
        var state: State?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "method" where method == nil: method = try json.text()
            case "state" where state == nil: state = try json.choice(State.self)
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let state else { throw FastJSON.UnsupportedJSON() }
        self.init(method: method, state: state)
    }
}

extension OrderSnapshot.Promo {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var code: String?
        var discount: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "code" where code == nil: code = try json.text()
            case "discount" where discount == nil: discount = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let code, let discount else { throw FastJSON.UnsupportedJSON() }
        self.init(code: code, discount: discount)
    }
}

extension OrderSnapshot.Consent {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var method: Method?
        var card: UUID?
        var agreedAt: Date?
        var upTo: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "method" where method == nil: method = try json.choice(Method.self)
            case "card" where card == nil: card = try json.id()
            case "agreedAt" where agreedAt == nil: agreedAt = try json.time()
            case "upTo" where upTo == nil: upTo = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let method, let agreedAt else { throw FastJSON.UnsupportedJSON() }
        self.init(method: method, card: card, agreedAt: agreedAt, upTo: upTo)
    }
}

extension OrderSnapshot.Outcome {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var decision: ReportDecided.Decision?
        var toCustomer: Money?
        var reason: String?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "decision" where decision == nil: decision = try json.choice(ReportDecided.Decision.self)
            case "toCustomer" where toCustomer == nil: toCustomer = try Money(usual: &json)
            case "reason" where reason == nil: reason = try json.text()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let decision, let toCustomer, let reason else { throw FastJSON.UnsupportedJSON() }
        self.init(decision: decision, toCustomer: toCustomer, reason: reason)
    }

    /// Adds the outcome's fields to its object.
    public func write(_ json: inout UsualObject) {
        json.add("decision", word: decision.rawValue)
        json.add("toCustomer") { toCustomer.write(&$0) }
        json.add("reason", text: reason)
    }
}
