public import Foundation

/// A fast writer of one object in the form that ``FastJSON`` reads. An object with a text that needs escapes is left
/// to Foundation as a whole.
public struct UsualObject {
    private var bytes: [UInt8] = []
    private var isFresh = true
    /// Whether everything so far has the usual form.
    private var isUsual = true

    /// - Parameter capacity: the expected number of bytes.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Returns the whole object; nil when a value does not have the usual form.
    public consuming func end() -> [UInt8]? {
        guard isUsual else { return nil }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    // MARK: Values

    /// Adds an id, in lower case.
    public mutating func add(_ key: StaticString, _ id: UUID) {
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        WireID.append(id, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a time in RFC 3339, UTC, with milliseconds.
    public mutating func add(_ key: StaticString, _ time: Date) { add(key, word: WireTime.text(time)) }

    /// Adds a whole number.
    public mutating func add(_ key: StaticString, _ number: Int) {
        begin(key)
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Adds a number with a fraction as Foundation writes it. A number without a JSON form is left to Foundation, which
    /// refuses it.
    public mutating func add(_ key: StaticString, decimal number: Double) {
        begin(key)
        var text = number.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        if !number.isFinite || text.utf8.contains(UInt8(ascii: "e")) { isUsual = false }
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds `true` or `false`.
    public mutating func add(_ key: StaticString, _ flag: Bool) {
        begin(key)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// - Parameter word: a text that needs no escapes and is no id.
    public mutating func add(_ key: StaticString, word: String) {
        begin(key)
        quote(word)
    }

    /// Adds any text.
    public mutating func add(_ key: StaticString, text: String) {
        judge(text)
        add(key, word: text)
    }

    /// - Parameter words: texts that need no escapes and are no ids.
    public mutating func add(_ key: StaticString, words: [String]) {
        array(key, words) { word, array in array.quote(word) }
    }

    // MARK: Nested objects

    /// - Parameter write: adds the inner object's fields.
    public mutating func add(_ key: StaticString, object write: (inout UsualObject) -> Void) {
        begin(key)
        within(write)
    }

    /// Adds an inner object under any key.
    public mutating func add(named key: String, object write: (inout UsualObject) -> Void) {
        judge(key)
        separate()
        quote(key)
        bytes.append(UInt8(ascii: ":"))
        within(write)
    }

    /// Adds an array of objects of texts.
    public mutating func add(_ key: StaticString, all texts: [[String: String]]) {
        array(key, texts) { texts, array in array.within { $0.add(texts) } }
    }

    /// Adds an array of objects, one for each item.
    public mutating func add<Item>(_ key: StaticString, _ items: [Item], _ write: (Item, inout UsualObject) -> Void) {
        array(key, items) { item, array in array.within { write(item, &$0) } }
    }

    /// Adds an object of texts under any keys.
    public mutating func add(_ key: StaticString, texts: [String: String]) {
        begin(key)
        within { $0.add(texts) }
    }

    /// Adds texts with their keys.
    public mutating func add(_ texts: [String: String]) {
        for (key, text) in texts {
            judge(key)
            judge(text)
            separate()
            quote(key)
            bytes.append(UInt8(ascii: ":"))
            quote(text)
        }
    }

    // MARK: Bytes

    private mutating func array<Item>(
        _ key: StaticString, _ items: [Item], _ write: (Item, inout UsualObject) -> Void
    ) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        isFresh = true
        for item in items {
            separate()
            write(item, &self)
        }
        bytes.append(UInt8(ascii: "]"))
        isFresh = false
    }

    private mutating func within(_ write: (inout UsualObject) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFresh = true
        write(&self)
        bytes.append(UInt8(ascii: "}"))
        isFresh = false
    }

    private mutating func begin(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if !isFresh { bytes.append(UInt8(ascii: ",")) }
        isFresh = false
    }

    private mutating func quote(_ word: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: word.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A text that is an id alone is left to ``MessageJSON``, which writes it in lower case.
    private mutating func judge(_ text: String) {
        var needsEscape = false
        var count = 0
        for byte in text.utf8 {
            count += 1
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { needsEscape = true }
        }
        if needsEscape || count == WireID.length && WireID.parse(text) != nil { isUsual = false }
    }
}
