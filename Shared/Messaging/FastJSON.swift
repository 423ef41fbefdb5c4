public import Foundation

/// A fast reader of JSON in the form that our services write and that PostgreSQL returns for `jsonb`: a space only
/// after a comma or colon, texts without escapes, and objects with keys that the reader knows or skips, without
/// duplicates and null. All other JSON, valid or not, is ``UnsupportedJSON`` and left to Foundation, which costs many times as
/// much. So everything that is read here would be read by Foundation too, with the same result.
///
/// ```swift
/// try json.beginObject()
/// while let key = try json.nextKey() {
///     switch key {
///     case "hold" where hold == nil: hold = try json.id()
///     default: throw FastJSON.UnsupportedJSON()
///     }
/// }
/// ```
public struct FastJSON {
    /// The JSON does not have the usual form. It may still be valid.
    public struct UnsupportedJSON: Error {
        public init() {}
    }

    private let bytes: [UInt8]
    private var place = 0
    /// Whether nothing of the innermost object or array has been read yet. The end of an inner one counts as read in
    /// the outer one.
    private var isFresh = false

    /// - Parameter bytes: UTF-8.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a whole body.
    /// - Returns: nil when it does not have the usual form.
    public static func read<M: Message>(_ type: M.Type, _ body: [UInt8]) -> M? {
        read(body) { json throws(UnsupportedJSON) in try M.readUsual(&json) }
    }

    /// Reads a whole text.
    /// - Returns: nil when it does not have the usual form.
    public static func read<Value>(
        _ text: [UInt8], by reader: (inout FastJSON) throws(UnsupportedJSON) -> Value?
    ) -> Value? {
        var json = FastJSON(text)
        // try?: JSON of unusual form is left to Foundation.
        guard let value = try? reader(&json), json.place == text.count else { return nil }
        return value
    }

    // MARK: Structure

    public mutating func beginObject() throws(UnsupportedJSON) {
        try expect(UInt8(ascii: "{"))
        isFresh = true
    }

    /// Returns the next key of an object and moves to its value; nil at the object's end.
    public mutating func nextKey() throws(UnsupportedJSON) -> String? {
        guard try next(before: UInt8(ascii: "}")) else { return nil }
        let key = try text()
        try expect(UInt8(ascii: ":"))
        passSpace()
        return key
    }

    private mutating func beginArray() throws(UnsupportedJSON) {
        try expect(UInt8(ascii: "["))
        isFresh = true
    }

    /// Moves to the next element; false at the array's end.
    private mutating func nextElement() throws(UnsupportedJSON) -> Bool { try next(before: UInt8(ascii: "]")) }

    /// Reads a whole array.
    public mutating func array<Element>(
        of element: (inout FastJSON) throws(UnsupportedJSON) -> Element
    ) throws(UnsupportedJSON) -> [Element] {
        var elements: [Element] = []
        try beginArray()
        while try nextElement() { elements.append(try element(&self)) }
        return elements
    }

    /// Reads a whole object of texts without duplicate keys.
    public mutating func texts() throws(UnsupportedJSON) -> [String: String] {
        var texts: [String: String] = [:]
        try beginObject()
        while let key = try nextKey() {
            guard texts.updateValue(try text(), forKey: key) == nil else { throw UnsupportedJSON() }
        }
        return texts
    }

    private mutating func next(before end: UInt8) throws(UnsupportedJSON) -> Bool {
        defer { isFresh = false }
        if try peek() == end {
            place += 1
            return false
        }
        if !isFresh {
            try expect(UInt8(ascii: ","))
            passSpace()
        }
        return true
    }

    private mutating func passSpace() {
        if place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    }

    private func peek() throws(UnsupportedJSON) -> UInt8 {
        guard place < bytes.count else { throw UnsupportedJSON() }
        return bytes[place]
    }

    private mutating func expect(_ byte: UInt8) throws(UnsupportedJSON) {
        guard try peek() == byte else { throw UnsupportedJSON() }
        place += 1
    }

    // MARK: Values

    /// A text without escapes.
    public mutating func text() throws(UnsupportedJSON) -> String {
        let content = try quoted()
        guard let text = String(validating: bytes[content], as: UTF8.self) else { throw UnsupportedJSON() }
        return text
    }

    /// One of a set of words.
    public mutating func choice<Choice: RawRepresentable>(
        _ type: Choice.Type = Choice.self
    ) throws(UnsupportedJSON) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try text()) else { throw UnsupportedJSON() }
        return choice
    }

    /// The 36 characters of an id, in either case.
    public mutating func id() throws(UnsupportedJSON) -> UUID {
        let content = try quoted()
        guard let id = WireID.parse(bytes[content]) else { throw UnsupportedJSON() }
        return id
    }

    /// A time in the form of ``MessageJSON``.
    public mutating func time() throws(UnsupportedJSON) -> Date {
        guard let time = WireTime.parseUsual(try text()) else { throw UnsupportedJSON() }
        return time
    }

    /// A whole number of at most 18 digits.
    public mutating func integer() throws(UnsupportedJSON) -> Int {
        let isNegative = try peek() == UInt8(ascii: "-")
        if isNegative { place += 1 }
        let start = place
        var value = 0
        while place < bytes.count, place - start < 18 {
            let digit = bytes[place]
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { break }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
            place += 1
        }
        let count = place - start
        // JSON has no leading zeros. A value with more after the digits, such as a fraction, fails later.
        guard count > 0, bytes[start] != UInt8(ascii: "0") || (count == 1 && !isNegative) else {
            throw UnsupportedJSON()
        }
        return isNegative ? -value : value
    }

    /// A number without an exponent, whose whole part has at most 18 digits. Numbers between -1 and 0 are unusual.
    public mutating func number() throws(UnsupportedJSON) -> Double {
        let start = place
        _ = try integer()
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
            let fraction = place
            while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
            guard place > fraction else { throw UnsupportedJSON() }
        }
        guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else {
            throw UnsupportedJSON()
        }
        return number
    }

    /// `true` or `false`.
    public mutating func flag() throws(UnsupportedJSON) -> Bool {
        let value = try peek() == UInt8(ascii: "t")
        for byte in value ? "true".utf8 : "false".utf8 { try expect(byte) }
        return value
    }

    /// Skips a value of the usual form, nested at most eight levels deep.
    public mutating func skip() throws(UnsupportedJSON) { try skip(depth: 8) }

    private mutating func skip(depth: Int) throws(UnsupportedJSON) {
        guard depth > 0 else { throw UnsupportedJSON() }
        switch try peek() {
        case UInt8(ascii: "{"):
            var keys: Set<String> = []
            try beginObject()
            while let key = try nextKey() {
                guard keys.insert(key).inserted else { throw UnsupportedJSON() }
                try skip(depth: depth - 1)
            }
        case UInt8(ascii: "["):
            try beginArray()
            while try nextElement() { try skip(depth: depth - 1) }
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try flag()
        case UInt8(ascii: "n"): for byte in "null".utf8 { try expect(byte) }
        default: _ = try number()
        }
    }

    /// The range of the bytes between the quotes.
    private mutating func quoted() throws(UnsupportedJSON) -> Range<Int> {
        try expect(UInt8(ascii: "\""))
        let start = place
        while true {
            let byte = try peek()
            place += 1
            if byte == UInt8(ascii: "\"") { return start..<(place - 1) }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { throw UnsupportedJSON() }
        }
    }
}
