import Foundation

/// The fields of a form body by Stripe's names: `amount`, `card[number]`, `metadata[order]`.
struct FormParameters: Sendable, Equatable {
    static let fieldLimit = 200

    private var fields: [String: String]

    init(_ fields: [String: String]) {
        self.fields = fields
    }

    init(urlEncoded text: String) throws(StripeError) {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
                throw .invalidRequest("The request's body is not form-encoded.")
            }
            fields[name] = value
        }
        guard fields.count <= Self.fieldLimit else { throw .invalidRequest("Too many parameters.") }
        self.fields = fields
    }

    var names: [String] { fields.keys.sorted() }

    /// Empty values count as absent.
    subscript(name: String) -> String? {
        fields[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func removeValue(_ name: String) -> String? { fields.removeValue(forKey: name) }

    func required(_ name: String) throws(StripeError) -> String {
        guard let value = self[name] else { throw .missing(name) }
        return value
    }

    func integer(_ name: String) throws(StripeError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int(text) else { throw .invalidInteger(text, name) }
        return value
    }

    /// The fields `name[…]` without the prefix.
    func group(_ name: String) -> [String: String] {
        let prefix = "\(name)["
        var members: [String: String] = [:]
        for (key, value) in fields where key.hasPrefix(prefix) && key.hasSuffix("]") {
            members[String(key.dropFirst(prefix.count).dropLast())] = value
        }
        return members
    }

    /// A text that is equal for the same fields in any order.
    var canonical: String {
        fields.sorted { $0.key < $1.key }.map { "\($0.key.utf8.count):\($0.key)=\($0.value.utf8.count):\($0.value)" }
            .joined(separator: "&")
    }

    private static func decode(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
