import Foundation

/// A scanned text, from which values are decoded. Used by one decoding alone.
final class JSONDocument {
    let form: JSON
    private let bytes: [UInt8]
    /// Unchecked, as in ``JSONWriter``.
    @exclusivity(unchecked) private(set) var tokens: [JSONToken]

    init(_ bytes: [UInt8], _ form: JSON) throws(JSONSyntaxError) {
        self.form = form
        self.bytes = bytes
        tokens = try JSONScanner.scan(bytes, form.limits)
    }

    func isNull(_ index: Int) -> Bool { tokens[index].kind == .null }
    func next(after index: Int) -> Int { Int(tokens[index].next) }

    // MARK: Members

    /// The index of a member's value; nil if there is none. The next search in the object begins here.
    func member(_ name: String, of object: Int) -> Int? {
        let end = next(after: object)
        let first = Int(tokens[object].cursor)
        guard first < end else { return nil }
        var name = name
        return name.withUTF8 { name in
            var index = first
            repeat {
                if isName(index, name) {
                    tokens[object].cursor = UInt32(truncatingIfNeeded: index)
                    return index + 1
                }
                index = next(after: index + 1)
                if index == end { index = object + 1 }
            } while index != first
            return nil
        }
    }

    private func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = tokens[index]
        guard token.kind == .name else { return JSONText.unescaped(content(token)).utf8.elementsEqual(name) }
        let start = Int(token.start)
        guard Int(token.end) - start == name.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let bytes = bytes.baseAddress, let name = name.baseAddress else { return true }
            return memcmp(bytes + start, name, Int(token.end) - start) == 0
        }
    }

    func names(of object: Int) -> [String] {
        var names: [String] = []
        var index = object + 1
        while index < next(after: object) {
            names.append(string(index))
            index = next(after: index + 1)
        }
        return names
    }

    // MARK: Values

    private func content(_ token: JSONToken) -> ArraySlice<UInt8> { bytes[Int(token.start)..<Int(token.end)] }

    /// The content of a text or a name.
    func string(_ index: Int) -> String {
        let token = tokens[index]
        switch token.kind {
        case .escapedText, .escapedName: return JSONText.unescaped(content(token))
        default: return String(decoding: content(token), as: UTF8.self)
        }
    }

    /// - Throws: `DecodingError`
    func value<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        // The types are equal in each branch, so the casts cannot fail; a conditional cast would cost more than the
        // reading.
        if Value.self == String.self { return unsafeBitCast(try text(index), to: Value.self) }
        if Value.self == Int.self { return unsafeBitCast(try integer(index, Int.self), to: Value.self) }
        if Value.self == UUID.self { return unsafeBitCast(try id(index), to: Value.self) }
        if Value.self == Date.self { return unsafeBitCast(try time(index), to: Value.self) }
        if Value.self == Bool.self { return unsafeBitCast(try flag(index), to: Value.self) }
        if Value.self == Double.self { return unsafeBitCast(try number(index, Double.self), to: Value.self) }
        if Value.self == Data.self { return unsafeBitCast(try data(index), to: Value.self) }
        return try Value(from: JSONReader(document: self, index: index))
    }

    private func text(_ index: Int) throws -> String {
        switch tokens[index].kind {
        case .text, .escapedText: return string(index)
        default: throw mismatch(String.self, index)
        }
    }

    private func flag(_ index: Int) throws -> Bool {
        switch tokens[index].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, index)
        }
    }

    /// Whole numbers are read in any notation: `7`, and also `7.0`, as far as a `Double` is exact.
    func integer<Number: FixedWidthInteger>(_ index: Int, _ type: Number.Type) throws -> Number {
        let token = tokens[index]
        switch token.kind {
        case .wholeNumber:
            if let number = digits(content(token), type) { return number }
        case .number:
            if let number = Double(string(index)), number.magnitude <= 0x1p53, let whole = Number(exactly: number) {
                return whole
            }
        default:
            throw mismatch(type, index)
        }
        throw corrupt(index, "not a number of this size")
    }

    private func digits<Number: FixedWidthInteger>(_ text: ArraySlice<UInt8>, _ type: Number.Type) -> Number? {
        // 18 digits cannot overflow.
        guard text.count <= 18, Number.bitWidth == 64, let first = text.first, first != UInt8(ascii: "-") else {
            return Number(String(decoding: text, as: UTF8.self))
        }
        var number = 0
        for digit in text { number = number * 10 + Int(digit - UInt8(ascii: "0")) }
        return Number(truncatingIfNeeded: number)
    }

    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ index: Int, _ type: Number.Type
    ) throws -> Number {
        let kind = tokens[index].kind
        guard kind == .number || kind == .wholeNumber else { throw mismatch(type, index) }
        guard let number = Number(string(index)), number.isFinite else { throw corrupt(index, "a number too large") }
        return number
    }

    private func id(_ index: Int) throws -> UUID {
        guard tokens[index].kind == .text || tokens[index].kind == .escapedText else {
            throw mismatch(String.self, index)
        }
        guard let id = WireID.parse(content(tokens[index])) else { throw corrupt(index, "not an id") }
        return id
    }

    private func time(_ index: Int) throws -> Date {
        let kind = tokens[index].kind
        if form.values == .stored && (kind == .wholeNumber || kind == .number) {
            return Date(timeIntervalSinceReferenceDate: try number(index, Double.self))
        }
        guard let time = WireTime.parse(try text(index)) else { throw corrupt(index, "not an RFC 3339 time") }
        return time
    }

    private func data(_ index: Int) throws -> Data {
        guard let data = Data(base64Encoded: try text(index)) else { throw corrupt(index, "not base64") }
        return data
    }

    // MARK: Errors

    func mismatch(_ type: any Any.Type, _ index: Int) -> DecodingError {
        let kind = tokens[index].kind
        let context = DecodingError.Context(codingPath: path(to: index), debugDescription: "found \(kind)")
        return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func corrupt(_ index: Int, _ description: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path(to: index), debugDescription: description))
    }

    /// The names and places of the values around a value. Found only when it is asked for.
    func path(to wanted: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var index = 0
        while index < wanted {
            let token = tokens[index]
            guard token.kind == .object || token.kind == .array else { break }
            var (child, position) = (index + 1, 0)
            let step = token.kind == .object ? 1 : 0
            while next(after: child + step) <= wanted {
                child = next(after: child + step)
                position += 1
            }
            path.append(step == 1 ? JSONKey(stringValue: string(child)) : JSONKey(intValue: position))
            index = child + step
        }
        return path
    }
}

/// A name or a place in a path.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
