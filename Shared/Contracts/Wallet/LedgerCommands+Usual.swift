import Foundation
public import Messaging

// Hand-written JSON for the ledger's commands and answers. They come by thousands a second, and Foundation's JSON took
// almost a third of the wallet's work for a command. A field that is added to one of them must be added here too. Until
// then a body with the field is read by Foundation.

extension PlaceHold {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> PlaceHold? {
        var (hold, account, subject): (UUID?, UUID?, UUID?) = (nil, nil, nil)
        var amount: Money?
        var expiresAt: Date?
        var note: StatementNote?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "hold" where hold == nil: hold = try json.id()
            case "account" where account == nil: account = try json.id()
            case "amount" where amount == nil: amount = try Money(usual: &json)
            case "subject" where subject == nil: subject = try json.id()
            case "expiresAt" where expiresAt == nil: expiresAt = try json.time()
            case "note" where note == nil: note = try StatementNote(usual: &json)
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let hold, let account, let amount, let subject else { return nil }
        return PlaceHold(
            hold: hold, account: account, amount: amount, subject: subject, expiresAt: expiresAt, note: note)
    }
}

extension CaptureHold {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> CaptureHold? {
        var hold: UUID?
        var currency: String?
        var shares: [Share]?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "hold" where hold == nil: hold = try json.id()
            case "currency" where currency == nil: currency = try json.text()
            case "shares" where shares == nil:
                shares = try json.array { json throws(FastJSON.UnsupportedJSON) in try Share(usual: &json) }
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let hold, let currency, let shares else { return nil }
        return CaptureHold(hold: hold, currency: currency, shares: shares)
    }
}

extension ReleaseHold {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> ReleaseHold? {
        var hold: UUID?
        try json.beginObject()
        while let key = try json.nextKey() {
            guard key == "hold", hold == nil else { throw FastJSON.UnsupportedJSON() }
            hold = try json.id()
        }
        return hold.map { ReleaseHold(hold: $0) }
    }
}

extension PostTransfer {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> PostTransfer? {
        var (id, subject): (UUID?, UUID?) = (nil, nil)
        var currency: String?
        var legs: [Leg]?
        var note: StatementNote?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id" where id == nil: id = try json.id()
            case "subject" where subject == nil: subject = try json.id()
            case "currency" where currency == nil: currency = try json.text()
            case "legs" where legs == nil:
                legs = try json.array { json throws(FastJSON.UnsupportedJSON) in try Leg(usual: &json) }
            case "note" where note == nil: note = try StatementNote(usual: &json)
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let id, let subject, let currency, let legs else { return nil }
        return PostTransfer(id: id, subject: subject, currency: currency, legs: legs, note: note)
    }
}

extension TransferPosted {
    public var usualBody: [UInt8]? {
        var object = UsualObject(capacity: 192)
        object.add("command", word: command.rawValue)
        object.add("id", id)
        object.add("transfer", transfer)
        object.add("at", at)
        return object.end()
    }
}

extension TransferRefused {
    /// Reasons are slugs; another text is left to Foundation, which escapes it.
    public var usualBody: [UInt8]? {
        let isWord = reason.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == 0x2d }
        guard isWord, reason.utf8.count < 36 else { return nil }
        var object = UsualObject(capacity: 192)
        object.add("command", word: command.rawValue)
        object.add("id", id)
        object.add("reason", word: reason)
        object.add("at", at)
        return object.end()
    }
}

// MARK: Parts

extension LedgerAccount {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var kind: Kind?
        var owner: UUID?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "kind" where kind == nil: kind = try json.choice(Kind.self)
            case "owner" where owner == nil: owner = try json.id()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let kind else { throw FastJSON.UnsupportedJSON() }
        self.init(kind: kind, owner: owner)
    }
}

extension CaptureHold.Share {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var to: LedgerAccount?
        var amount: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "to" where to == nil: to = try LedgerAccount(usual: &json)
            case "amount" where amount == nil: amount = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let to, let amount else { throw FastJSON.UnsupportedJSON() }
        self.init(to: to, amount: amount)
    }
}

extension PostTransfer.Leg {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var (from, to): (LedgerAccount?, LedgerAccount?) = (nil, nil)
        var amount: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "from" where from == nil: from = try LedgerAccount(usual: &json)
            case "to" where to == nil: to = try LedgerAccount(usual: &json)
            case "amount" where amount == nil: amount = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let from, let to, let amount else { throw FastJSON.UnsupportedJSON() }
        self.init(from: from, to: to, amount: amount)
    }
}

extension StatementNote {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var (market, payer, beneficiary): (String?, String?, String?) = (nil, nil, nil)
        var title: [String: String]?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "market" where market == nil: market = try json.text()
            case "title" where title == nil: title = try json.texts()
            case "payer" where payer == nil: payer = try json.text()
            case "beneficiary" where beneficiary == nil: beneficiary = try json.text()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let market, let title, let payer, let beneficiary else { throw FastJSON.UnsupportedJSON() }
        self.init(market: market, title: title, payer: payer, beneficiary: beneficiary)
    }
}
