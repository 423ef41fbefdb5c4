import Foundation

/// Writes one value as JSON, in one pass and without a tree: a container writes its beginning when it is made, and its
/// end when the value that surrounds it goes on or ends. So a type has to finish a nested container before it continues
/// with the outer one, as all synthesized code does.
final class JSONWriter: Encoder {
    private struct Level {
        let isObject: Bool
        var isEmpty = true
        /// The place behind its bracket.
        let start: Int
        /// Its first element of ``members``.
        let firstMember: Int
    }

    let form: JSON
    // Unchecked: a writer is used by one call on one thread, and the checks took a third of its time.
    @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
    /// The objects and arrays that have begun and not ended.
    @exclusivity(unchecked) private var open: [Level] = []
    /// The members of the open objects; only where they are sorted.
    @exclusivity(unchecked) private var members: [JSONMember] = []
    /// The number of open levels around the value that is being written.
    @exclusivity(unchecked) private var slot = 0

    init(_ form: JSON) {
        self.form = form
        bytes.reserveCapacity(512)
        open.reserveCapacity(8)
    }

    // MARK: Structure

    /// Begins the object of the value in a slot, or continues it.
    fileprivate func object(inSlot slot: Int) -> Int { container(inSlot: slot, isObject: true) }

    fileprivate func array(inSlot slot: Int) -> Int { container(inSlot: slot, isObject: false) }

    private func container(inSlot slot: Int, isObject: Bool) -> Int {
        if open.count > slot {
            precondition(open[slot].isObject == isObject, "a value is either an object or an array")
            close(downTo: slot + 1)
        } else {
            bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
            open.append(Level(isObject: isObject, start: bytes.count, firstMember: members.count))
        }
        return slot
    }

    fileprivate func member(_ name: String, at level: Int) {
        element(at: level)
        let start = bytes.count
        text(name)
        if form.sortsMembers { members.append(JSONMember(start: start, nameEnd: bytes.count - 1)) }
        bytes.append(UInt8(ascii: ":"))
    }

    fileprivate func element(at level: Int) {
        close(downTo: level + 1)
        if open[level].isEmpty { open[level].isEmpty = false } else { bytes.append(UInt8(ascii: ",")) }
    }

    private func close(downTo count: Int) {
        while open.count > count {
            let level = open.removeLast()
            if level.isObject && form.sortsMembers {
                JSONMember.sort(members[level.firstMember...], in: &bytes, from: level.start)
                members.removeSubrange(level.firstMember...)
            }
            bytes.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    // MARK: Values

    /// - Throws: `EncodingError`.
    func write<Value: Encodable>(_ value: Value) throws {
        if try scalar(value) { return }
        let (outer, start) = (slot, bytes.count)
        slot = open.count
        defer { slot = outer }
        try value.encode(to: self)
        close(downTo: slot)
        if bytes.count == start {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "a value that writes nothing"))
        }
    }

    /// Writes a value that is neither an object nor an array. The type is known to be equal in each branch, so the
    /// casts cannot fail; a conditional cast would cost more than the writing.
    private func scalar<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == String.self {
            text(unsafeBitCast(value, to: String.self))
        } else if Value.self == Int.self {
            integer(unsafeBitCast(value, to: Int.self))
        } else if Value.self == UUID.self {
            bytes.append(UInt8(ascii: "\""))
            WireID.append(unsafeBitCast(value, to: UUID.self), inCapitals: form.values == .stored, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        } else if Value.self == Date.self {
            try time(unsafeBitCast(value, to: Date.self))
        } else if Value.self == Bool.self {
            flag(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Double.self {
            try number(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Data.self {
            text(unsafeBitCast(value, to: Data.self).base64EncodedString())
        } else {
            return false
        }
        return true
    }

    fileprivate func null() { word("null") }

    private func flag(_ value: Bool) { word(value ? "true" : "false") }

    private func word(_ word: StaticString) { word.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    fileprivate func integer(_ value: some FixedWidthInteger) { bytes.append(contentsOf: value.description.utf8) }

    /// Whole numbers are written without a fraction.
    fileprivate func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Number) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "a number that is not finite"))
        }
        let digits = value.description.utf8
        bytes.append(contentsOf: digits)
        if digits.count > 2, bytes[bytes.count - 1] == UInt8(ascii: "0"), bytes[bytes.count - 2] == UInt8(ascii: ".") {
            bytes.removeLast(2)
        }
    }

    private func time(_ date: Date) throws {
        switch form.values {
        case .stored: try number(date.timeIntervalSinceReferenceDate)
        case .wire:
            bytes.append(UInt8(ascii: "\""))
            WireTime.append(date, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private func text(_ text: String) { JSONText.append(text, to: &bytes) }

    // MARK: Encoder

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectWriter(writer: self, level: object(inSlot: slot)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONArrayWriter(writer: self, level: array(inSlot: slot))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSlot(writer: self, slot: slot) }
}

// MARK: Containers

/// The place of one value: that of a type that writes itself as another one, or of a superclass.
private struct JSONSlot: Encoder, SingleValueEncodingContainer {
    let writer: JSONWriter
    let slot: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectWriter(writer: writer, level: writer.object(inSlot: slot)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONArrayWriter(writer: writer, level: writer.array(inSlot: slot))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { writer.null() }
    func encode<Value: Encodable>(_ value: Value) throws { try writer.write(value) }

    // The types that ``JSONWriter`` does not know end here: each writes itself as one value.
    func encode(_ value: Float) throws { try writer.number(value) }
    func encode(_ value: Int8) { writer.integer(value) }
    func encode(_ value: Int16) { writer.integer(value) }
    func encode(_ value: Int32) { writer.integer(value) }
    func encode(_ value: Int64) { writer.integer(value) }
    func encode(_ value: UInt) { writer.integer(value) }
    func encode(_ value: UInt8) { writer.integer(value) }
    func encode(_ value: UInt16) { writer.integer(value) }
    func encode(_ value: UInt32) { writer.integer(value) }
    func encode(_ value: UInt64) { writer.integer(value) }
}

private struct JSONObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let level: Int

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        writer.member(key.stringValue, at: level)
        writer.null()
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        writer.member(key.stringValue, at: level)
        try writer.write(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        slot(key.stringValue).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        slot(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { slot("super") }
    func superEncoder(forKey key: Key) -> any Encoder { slot(key.stringValue) }

    private func slot(_ name: String) -> JSONSlot {
        writer.member(name, at: level)
        return JSONSlot(writer: writer, slot: level + 1)
    }
}

private struct JSONArrayWriter: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let level: Int
    private(set) var count = 0

    init(writer: JSONWriter, level: Int) {
        self.writer = writer
        self.level = level
    }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() {
        next()
        writer.null()
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        next()
        try writer.write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        slot().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { slot().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { slot() }

    private mutating func slot() -> JSONSlot {
        next()
        return JSONSlot(writer: writer, slot: level + 1)
    }

    private mutating func next() {
        writer.element(at: level)
        count += 1
    }
}
