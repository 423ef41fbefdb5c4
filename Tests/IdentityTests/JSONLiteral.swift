public import SeraiJSON

/// Bodies of requests as they look.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByFloatLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }

    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue {
    /// An element of a list; nil for others, and outside of it.
    subscript(position: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(position) else { return nil }
        return elements[position]
    }
}
