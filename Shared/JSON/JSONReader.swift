/// The decoder of one value of a document.
struct JSONReader: Decoder, SingleValueDecodingContainer {
    let document: JSONDocument
    let index: Int

    var codingPath: [any CodingKey] { document.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard document.tokens[index].kind == .object else { throw document.mismatch([String: Any].self, index) }
        return KeyedDecodingContainer(JSONObjectReader(document: document, index: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.tokens[index].kind == .array else { throw document.mismatch([Any].self, index) }
        return JSONArrayReader(document: document, index: index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { document.isNull(index) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.value(type, at: index) }

    // The types that ``JSONDocument`` does not know end here: each reads itself from one value.
    func decode(_ type: Float.Type) throws -> Float { try document.number(index, type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(index, type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(index, type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(index, type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(index, type) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.integer(index, type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(index, type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(index, type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(index, type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(index, type) }
}

private struct JSONObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: JSONDocument
    let index: Int

    var codingPath: [any CodingKey] { document.path(to: index) }
    var allKeys: [Key] { document.names(of: index).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { document.member(key.stringValue, of: index) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try member(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.value(type, at: try member(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let member = document.member(key.stringValue, of: index), !document.isNull(member) else { return nil }
        return try document.value(type, at: member)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try reader(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let member = document.member("super", of: index) else { throw missing(JSONKey(stringValue: "super")) }
        return JSONReader(document: document, index: member)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }

    private func reader(_ key: Key) throws -> JSONReader { JSONReader(document: document, index: try member(key)) }

    private func member(_ key: Key) throws -> Int {
        guard let member = document.member(key.stringValue, of: index) else { throw missing(key) }
        return member
    }

    private func missing(_ key: any CodingKey) -> DecodingError {
        .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "no such member"))
    }
}

private struct JSONArrayReader: UnkeyedDecodingContainer {
    let document: JSONDocument
    private let end: Int
    /// The place of the next element.
    private var index: Int
    private(set) var currentIndex = 0
    let count: Int?

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index + 1
        end = document.next(after: index)
        var (elements, element) = (0, index + 1)
        while element < end {
            element = document.next(after: element)
            elements += 1
        }
        count = elements
    }

    var codingPath: [any CodingKey] { document.path(to: index - 1) }
    var isAtEnd: Bool { index >= end }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, document.isNull(index) else { return false }
        pass()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try expectElement(type)
        let value = try document.value(type, at: index)
        pass()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try reader().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try reader().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try reader() }

    private mutating func reader() throws -> JSONReader {
        try expectElement(JSONReader.self)
        defer { pass() }
        return JSONReader(document: document, index: index)
    }

    private func expectElement(_ type: any Any.Type) throws {
        guard isAtEnd else { return }
        throw DecodingError.valueNotFound(
            type, DecodingError.Context(codingPath: codingPath, debugDescription: "no further element"))
    }

    private mutating func pass() {
        index = document.next(after: index)
        currentIndex += 1
    }
}
