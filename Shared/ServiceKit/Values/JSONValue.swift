/// Any JSON value. Whole numbers that fit in 64 bits keep their exact value.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The text is not JSON, or JSON that readers could understand differently: see ``JSONParser``.
    public struct ParseError: Error, Equatable {
        /// The position of the error, in bytes from the beginning.
        public let offset: Int
    }

    /// Parses a JSON text of any kind: names in an object are unique, nesting is at most 64 deep.
    public init(parsing text: some Sequence<UInt8>) throws(ParseError) {
        do {
            self = try JSONParser.parse(Array(text))
        } catch {
            throw ParseError(offset: error.offset)
        }
    }

    /// The member of an object; nil for other values and for an unknown name.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}

extension JSONValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
