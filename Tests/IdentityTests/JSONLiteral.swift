public import ServiceKit

/// Bodies of requests as they look.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByFloatLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }

    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(floatLiteral value: Double) { self = .number(value) }
}
