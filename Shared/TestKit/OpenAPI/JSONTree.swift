import Foundation
import Yams

/// A value of JSON, or of YAML's core schema, as schemas see it: numbers that are whole are integers, however written.
enum JSONTree: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// - Throws: `DecodingError` when it is no JSON.
    init(json: Data) throws { self = try JSONDecoder().decode(JSONTree.self, from: json) }

    init(yaml: String) throws {
        guard let root = try Yams.compose(yaml: yaml) else { throw DocumentFault("the document is empty") }
        self = try JSONTree(root)
    }

    private init(_ double: Double) {
        self = Int64(exactly: double).map(JSONTree.integer) ?? .number(double)
    }

    // MARK: Members

    var members: [String: JSONTree]? {
        if case .object(let members) = self { members } else { nil }
    }

    var elements: [JSONTree]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    subscript(name: String) -> JSONTree? { members?[name] }

    // MARK: YAML

    private init(_ node: Yams.Node) throws {
        switch node {
        case .scalar(let scalar):
            self = JSONTree(scalar)
        case .sequence(let sequence):
            var elements: [JSONTree] = []
            for element in sequence { elements.append(try JSONTree(element)) }
            self = .array(elements)
        case .mapping(let mapping):
            var members: [String: JSONTree] = [:]
            for pair in mapping {
                guard let name = pair.key.scalar?.string else { throw DocumentFault("a key is no text") }
                members[name] = try JSONTree(pair.value)
            }
            self = .object(members)
        case .alias:
            throw DocumentFault("an alias is not read")
        }
    }

    /// By YAML 1.2's core schema: `yes` is a text, and so is a date.
    private init(_ scalar: Yams.Node.Scalar) {
        let text = scalar.string
        guard scalar.style == .plain else {
            self = .string(text)
            return
        }
        switch text {
        case "", "~", "null": self = .null
        case "true": self = .boolean(true)
        case "false": self = .boolean(false)
        default:
            if let whole = Int64(text) {
                self = .integer(whole)
            } else if Self.isDecimal(text), let double = Double(text) {
                self = JSONTree(double)
            } else {
                self = .string(text)
            }
        }
    }
}

extension JSONTree {
    /// What else `Double` reads, `nan` or `0x10`, is a text.
    private static func isDecimal(_ text: String) -> Bool {
        text.wholeMatch(of: /[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?/) != nil
    }
}

extension JSONTree: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // try?: of what kind a value is shows in that it cannot be read as the others.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = JSONTree(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}

/// A document that says what is not understood here, or contradicts itself.
public struct DocumentFault: Error, Sendable, CustomStringConvertible {
    /// Where in the document, as a JSON pointer, and what.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The name as a token of a JSON pointer (RFC 6901).
func pointerToken(_ name: String) -> String {
    "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
}
