/// The place of a value in a JSON document (RFC 6901), such as `/addresses/0/city`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    public let tokens: [String]

    public init(_ tokens: [String] = []) {
        self.tokens = tokens
    }

    /// The whole document.
    public static let root = JSONPointer()

    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    /// `~` and `/` in a name are written `~0` and `~1`. The root is the empty string.
    public var description: String {
        tokens.map { token in
            "/" + token.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }
}

extension JSONPointer: ExpressibleByStringLiteral {
    /// A member of the document by name, or a whole pointer when it begins with `/`.
    public init(stringLiteral value: String) {
        guard value.hasPrefix("/") else {
            self.init(value.isEmpty ? [] : [value])
            return
        }
        self.init(
            value.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { token in
                String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            })
    }
}
