import Hummingbird

/// The parameters of a request's query. Texts are read like those of a body (``TypedText``). `+` is a space, as in
/// browsers' forms, except in a time, where it begins the offset, and in an opaque text.
///
/// The first of several equal names counts. ``AddressTextMiddleware`` has refused unreadable values.
struct QueryParameters: Sendable {
    /// As received, in order.
    private let pairs: [(name: String, value: Substring)]

    init(_ request: Request) { self.init(query: request.uri.query) }

    init(query: String?) {
        pairs = (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0], plusIsSpace: true) ?? "", parts.count > 1 ? parts[1] : "")
        }
    }

    /// In order, with duplicates.
    var names: [String] { pairs.map(\.name) }

    /// The parameters that a list does not have. Those of pages are known to every list.
    func unknown(besides known: Set<String>) -> [FieldProblem] {
        names.filter { !$0.isEmpty && !known.contains($0) && !ListPage.parameters.contains($0) }.map {
            FieldProblem(JSONPointer([$0]), "unknown-parameter")
        }
    }

    /// A text as people type it; nil when it is absent.
    subscript(name: String) -> String? {
        raw(name).flatMap { Self.decoded($0, plusIsSpace: true) }.map {
            String(TypedText.normalized($0)[...].trimming(while: \.isWhitespace))
        }
    }

    /// The values of a parameter that may be repeated, in order.
    func all(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map {
            String(
                TypedText.normalized(Self.decoded($0.value, plusIsSpace: true) ?? "")[...].trimming(
                    while: \.isWhitespace))
        }
    }

    /// A text of digits, of any script.
    func number(_ name: String) -> String? { self[name].map(TypedText.asciiDigits) }

    /// A time, or a part of one.
    func time(_ name: String) -> String? {
        raw(name).flatMap { Self.decoded($0, plusIsSpace: false) }.map {
            TypedText.asciiDigits(String(TypedText.normalized($0)[...].trimming(while: \.isWhitespace)))
        }
    }

    /// A value that a service generated, as received.
    func opaque(_ name: String) -> String? { raw(name).flatMap { Self.decoded($0, plusIsSpace: false) } }

    private func raw(_ name: String) -> Substring? { pairs.first { $0.name == name }?.value }

    /// The first unreadable parameter: not UTF-8 (`isText` is false), or with control characters.
    var unreadable: (name: String, isText: Bool)? {
        for (name, value) in pairs {
            guard let text = Self.decoded(value, plusIsSpace: true) else { return (name, false) }
            if Self.hasControls(text) || Self.hasControls(name) { return (name, true) }
        }
        return nil
    }

    static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Nil for bytes that are not UTF-8. A `%` without two hexadecimal digits stays.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var left = Array(text.utf8)[...]
        while let byte = left.popFirst() {
            if byte == UInt8(ascii: "+"), plusIsSpace {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let value = escaped(left) {
                bytes.append(value)
                left = left.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The byte that the two hexadecimal digits at the beginning stand for; nil for other characters, such as `+0`.
    static func escaped(_ text: ArraySlice<UInt8>) -> UInt8? {
        let digits = text.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return digits.count == 2 ? UInt8(digits[0] * 16 + digits[1]) : nil
    }
}
