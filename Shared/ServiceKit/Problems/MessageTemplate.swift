/// A text with named placeholders: `at most {limit} characters`. A brace is written twice: `{{`.
public struct MessageTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case text(String)
        case placeholder(String)
    }

    let parts: [Part]

    /// Nil when a brace is not closed or a placeholder has no name.
    public init?(_ source: String) {
        var parts: [Part] = []
        var text = ""
        var characters = source[...]
        while let character = characters.popFirst() {
            switch character {
            case "{" where characters.first == "{", "}" where characters.first == "}":
                text.append(character)
                characters.removeFirst()
            case "{":
                guard let end = characters.firstIndex(of: "}") else { return nil }
                let name = String(characters[..<end])
                guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
                if !text.isEmpty { parts.append(.text(text)) }
                text = ""
                parts.append(.placeholder(name))
                characters = characters[characters.index(after: end)...]
            case "}": return nil
            default: text.append(character)
            }
        }
        if !text.isEmpty { parts.append(.text(text)) }
        self.parts = parts
    }

    public var placeholders: Set<String> {
        Set(parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } })
    }

    /// A placeholder without an argument is left out.
    public func filled(with arguments: [String: String]) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .placeholder(let name): arguments[name] ?? ""
            }
        }.joined()
    }
}
