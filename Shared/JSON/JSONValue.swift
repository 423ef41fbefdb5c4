/// Any JSON value. Whole numbers that fit in 64 bits keep their exact value.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The text is not JSON, or JSON that readers could understand differently: see ``JSON``.
    public struct ParseError: Error, Equatable {
        /// The position of the error, in bytes from the beginning.
        public let offset: Int
    }

    /// Parses a JSON text of any kind, of at most 10 000 values.
    public init(parsing text: some Sequence<UInt8>) throws(ParseError) {
        do throws(JSONSyntaxError) {
            self = try JSONValue(try JSONDocument(Array(text), .answer), at: 0)
        } catch {
            throw ParseError(offset: error.offset)
        }
    }

    private init(_ document: JSONDocument, at index: Int) throws(JSONSyntaxError) {
        let token = document.tokens[index]
        switch token.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .text, .escapedText, .name, .escapedName: self = .string(document.string(index))
        case .wholeNumber, .number:
            let digits = document.string(index)
            if token.kind == .wholeNumber, let integer = Int64(digits) {
                self = .integer(integer)
            } else if let number = Double(digits), number.isFinite {
                self = .number(number)
            } else {
                throw JSONSyntaxError(offset: Int(token.start))
            }
        case .array:
            var elements: [JSONValue] = []
            var element = index + 1
            while element < document.next(after: index) {
                elements.append(try JSONValue(document, at: element))
                element = document.next(after: element)
            }
            self = .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            var name = index + 1
            while name < document.next(after: index) {
                members[document.string(name)] = try JSONValue(document, at: name + 1)
                name = document.next(after: name + 1)
            }
            self = .object(members)
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
