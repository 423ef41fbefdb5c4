/// The text of a statement: a literal of the source code. Only other such texts can be inserted, such as a list of
/// columns that several statements share. Input can never become part of it.
///
/// ```swift
/// static let columns: SQL = "id, state, amount"
/// static let sql: SQL = "SELECT \(columns) FROM holds WHERE id = $1"
/// ```
public struct SQL: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    let text: String

    public init(stringLiteral text: StaticString) { self.text = text.description }
    public init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    public var description: String { text }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
        public mutating func appendInterpolation(_ part: SQL) { text += part.text }
    }
}
