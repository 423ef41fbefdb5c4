import Foundation
import Messaging

/// Encodes and decodes an item's arguments. The usual form is handled by hand: each order makes several items, and
/// Foundation took a fifth of this service's processor time.
enum StoredArguments {
    /// - Throws: the errors of Foundation's encoder.
    static func encode(_ arguments: [String: TextArgument]) throws -> String {
        if let body = usualBody(arguments) { return String(decoding: body, as: UTF8.self) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return String(decoding: try encoder.encode(arguments), as: UTF8.self)
    }

    /// - Returns: nil for a form that this program cannot read.
    static func decode(_ text: String) -> [String: TextArgument]? {
        // try?: a newer program wrote it.
        usual(text) ?? (try? JSONDecoder().decode([String: TextArgument].self, from: Data(text.utf8)))
    }

    /// Nil unless the arguments have the usual form.
    static func usualBody(_ arguments: [String: TextArgument]) -> [UInt8]? {
        var json = UsualObject(capacity: 256)
        for (name, argument) in arguments { json.add(named: name) { argument.write(&$0) } }
        return json.end()
    }

    /// Nil unless the text has the usual form.
    static func usual(_ text: String) -> [String: TextArgument]? {
        FastJSON.read(Array(text.utf8)) { json throws(FastJSON.UnsupportedJSON) in
            var arguments: [String: TextArgument] = [:]
            try json.beginObject()
            while let name = try json.nextKey() {
                let argument = try TextArgument(usual: &json)
                guard arguments.updateValue(argument, forKey: name) == nil else { throw FastJSON.UnsupportedJSON() }
            }
            return arguments
        }
    }
}

extension TextArgument {
    fileprivate init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var (text, currency): (String?, String?)
        var account: UUID?
        var words: [[String: String]]?
        var (amount, number): (Int?, Int?)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "text" where text == nil: text = try json.text()
            case "of" where account == nil: account = try json.id()
            case "words" where words == nil:
                words = try json.array { json throws(FastJSON.UnsupportedJSON) in try json.texts() }
            case "amount" where amount == nil: amount = try json.integer()
            case "currency" where currency == nil: currency = try json.text()
            case "number" where number == nil: number = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        switch (text, account, words, number, amount, currency) {
        case (let text?, let account?, nil, nil, nil, nil): self = .person(name: text, account: account)
        case (let text?, nil, nil, nil, nil, nil): self = .text(text)
        case (nil, nil, let words?, nil, nil, nil): self = .words(words)
        case (nil, nil, nil, let number?, nil, nil): self = .number(number)
        case (nil, nil, nil, nil, let amount?, let currency?): self = .money(amount: amount, currency: currency)
        default: throw FastJSON.UnsupportedJSON()
        }
    }

    fileprivate func write(_ json: inout UsualObject) {
        switch self {
        case .text(let text): json.add("text", text: text)
        case .person(let name, let account):
            json.add("text", text: name)
            json.add("of", account)
        case .words(let words): json.add("words", all: words)
        case .number(let number): json.add("number", number)
        case .money(let amount, let currency):
            json.add("amount", amount)
            json.add("currency", text: currency)
        }
    }
}
