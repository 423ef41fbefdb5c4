/// One form of JSON, with its encoder and decoder for `Codable` types.
///
/// ```swift
/// let body = try JSON.wire.encode(OrderAccepted(order: snapshot))
/// let event = try JSON.wire.decode(OrderAccepted.self, body)
/// ```
///
/// All forms write no white space, omit nil, and refuse numbers that are not finite. All read ids in either case, and read
/// strictly: RFC 8259 with unique names in an object, no lone surrogates, and limits for nesting and size. Fields that a
/// type does not have are ignored.
public struct JSON: Sendable {
    /// How times and ids are written.
    enum Values {
        /// Times in RFC 3339, UTC, with milliseconds: `2026-11-22T07:45:00.123Z`, and ids in lower case. Any offset is read.
        case wire
        /// Times as seconds since 2001, with all digits of a `Date`, and ids in capitals. Times as texts are read, too.
        case stored
    }

    let values: Values
    /// Whether the members of an object are sorted by name. Otherwise they have the order of the fields.
    let sortsMembers: Bool
    let limits: Limits

    /// The form of messages, and of other systems' APIs.
    public static let wire = JSON(values: .wire, sortsMembers: false, limits: .trusted)
    /// The form of HTTP answers and of requests' bodies. Sorted, so that equal answers have equal bytes and tags.
    public static let answer = JSON(values: .wire, sortsMembers: true, limits: .request)
    /// The form of columns and of other things that only their own service reads. A time must not lose digits there, and
    /// statements and indexes compare ids with those of older rows.
    public static let stored = JSON(values: .stored, sortsMembers: false, limits: .trusted)
    /// The form of files and of what is hashed: ``stored`` with sorted members.
    public static let sorted = JSON(values: .stored, sortsMembers: true, limits: .trusted)

    /// Upper bounds of a text, so that reading it takes milliseconds.
    struct Limits: Sendable {
        /// Objects and arrays around a value.
        let depth: Int
        let values: Int
        /// Bytes of a member's name. A dictionary orders the accents of a name before it compares it, which takes seconds
        /// for a hundred thousand of them.
        let nameBytes: Int

        static let request = Limits(depth: 64, values: 10_000, nameBytes: 128)
        static let trusted = Limits(depth: 64, values: 1_000_000, nameBytes: 1_024)
    }

    /// - Throws: `EncodingError` for a number that is not finite, and for a value that writes nothing.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        let writer = JSONWriter(self)
        try writer.write(value)
        return writer.bytes
    }

    /// As ``encode(_:)``, as a text.
    public func text(_ value: some Encodable) throws -> String { String(decoding: try encode(value), as: UTF8.self) }

    /// - Throws: `DecodingError`; for a text that is no JSON with an empty path.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, _ text: some Sequence<UInt8>
    ) throws -> Value {
        try decode(type, Array(text))
    }

    /// As ``decode(_:_:)-(_,Sequence<UInt8>)``, without a copy.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ text: [UInt8]) throws -> Value {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(text, self)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "no JSON from byte \(error.offset)"))
        }
        return try document.value(type, at: 0)
    }
}

/// The text is not JSON, or JSON that readers could understand differently.
struct JSONSyntaxError: Error, Equatable {
    /// The position of the error, in bytes from the beginning.
    let offset: Int
}
