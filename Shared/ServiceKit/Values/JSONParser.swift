/// Parses a JSON text (RFC 8259) into a ``JSONValue``, strictly and in one pass.
///
/// Stricter than the standard requires: names in an object are unique, nesting is at most 64 deep, there are at most 10
/// 000 values, numbers are finite, and there are no lone surrogates. So an accepted text means the same to every
/// reader, and a body takes at most some milliseconds.
struct JSONParser {
    struct Malformed: Error, Equatable {
        /// The position of the error, in bytes from the beginning.
        let offset: Int
    }

    static let maximumDepth = 64
    static let maximumValues = 10_000

    private let bytes: [UInt8]
    private var position = 0
    private var values = 0

    static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSONValue {
        // Checked once for all strings: the ASCII characters that this parser looks for cannot split UTF-8.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed(offset: 0) }
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.malformed }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var malformed: Malformed { Malformed(offset: position) }
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func value(depth: Int) throws(Malformed) -> JSONValue {
        values += 1
        guard depth <= Self.maximumDepth, values <= Self.maximumValues else { throw malformed }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw malformed }
            let name = try string()
            skipSpace()
            guard members[name] == nil, take(UInt8(ascii: ":")) else { throw malformed }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func array(depth: Int) throws(Malformed) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func string() throws(Malformed) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case 0..<0x20: throw malformed
            default:
                text.append(byte)
                position += 1
            }
        }
        throw malformed
    }

    private mutating func escape(into text: inout [UInt8]) throws(Malformed) {
        guard let byte = next else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
        default: throw malformed
        }
    }

    /// Reads what follows `\u`: one code unit, or a pair of two.
    private mutating func scalar() throws(Malformed) -> Character {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard (0xd800..<0xdc00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw malformed
        }
        let second = try codeUnit()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw malformed }
        return Character(scalar)
    }

    private mutating func codeUnit() throws(Malformed) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { throw malformed }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    private mutating func number() throws(Malformed) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw malformed }
        return .number(number)
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw malformed }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Malformed) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[index]) { throw malformed }
        return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }
}
