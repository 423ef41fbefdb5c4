import Foundation

/// A value for a placeholder of a text, stored in a form that can be rendered in any language later.
enum TextArgument: Sendable, Hashable {
    /// The same in every language, such as a person's own words.
    case text(String)
    /// A name and its account, with which the name is deleted.
    case person(name: String, account: UUID)
    /// Words by language; several are joined as a list.
    case words([[String: String]])
    /// A person's own words, with the account with which they are deleted.
    case ownText(String, by: UUID)
    /// The same by language, such as the name that a customer has given to a parcel.
    case ownWords([[String: String]], by: UUID)
    /// In minor units, with the ISO 4217 code.
    case money(amount: Int, currency: String)
    case number(Int)
}

extension TextArgument {
    /// The account of a person's name or own words.
    var account: UUID? {
        switch self {
        case .person(_, let account), .ownText(_, by: let account), .ownWords(_, by: let account): account
        case .text, .words, .money, .number: nil
        }
    }
}

extension TextArgument: Codable {
    private enum Key: String, CodingKey {
        case text, of, by, words, amount, currency, number
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let author = try container.decodeIfPresent(UUID.self, forKey: .by)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self =
                try container.decodeIfPresent(UUID.self, forKey: .of).map { .person(name: text, account: $0) }
                ?? author.map { .ownText(text, by: $0) } ?? .text(text)
        } else if let words = try container.decodeIfPresent([[String: String]].self, forKey: .words) {
            self = author.map { .ownWords(words, by: $0) } ?? .words(words)
        } else if let number = try container.decodeIfPresent(Int.self, forKey: .number) {
            self = .number(number)
        } else {
            self = .money(
                amount: try container.decode(Int.self, forKey: .amount),
                currency: try container.decode(String.self, forKey: .currency))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .person(let name, let account):
            try container.encode(name, forKey: .text)
            try container.encode(account.uuidString.lowercased(), forKey: .of)
        case .words(let words): try container.encode(words, forKey: .words)
        case .ownText(let text, by: let account):
            try container.encode(text, forKey: .text)
            try container.encode(account.uuidString.lowercased(), forKey: .by)
        case .ownWords(let words, by: let account):
            try container.encode(words, forKey: .words)
            try container.encode(account.uuidString.lowercased(), forKey: .by)
        case .number(let number): try container.encode(number, forKey: .number)
        case .money(let amount, let currency):
            try container.encode(amount, forKey: .amount)
            try container.encode(currency, forKey: .currency)
        }
    }
}
