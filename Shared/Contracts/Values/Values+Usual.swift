public import Messaging

extension Money {
    public init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var amount: Int?
        var currency: String?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "amount" where amount == nil: amount = try json.integer()
            case "currency" where currency == nil: currency = try json.text()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let amount, let currency else { throw FastJSON.UnsupportedJSON() }
        self.init(amount: amount, currency: currency)
    }

    /// Adds the amount's fields to its object.
    public func write(_ json: inout UsualObject) {
        json.add("amount", amount)
        json.add("currency", text: currency)
    }
}

extension LocalizedText {
    init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) { self.init(try json.texts()) }
}
