import Foundation

/// The JSON form of payloads.
public enum MessageJSON {
    /// Times are RFC 3339 in UTC with milliseconds, UUIDs in lower case.
    public static func encode(_ message: some Encodable) throws -> [UInt8] {
        var body = [UInt8](try encoder.encode(message))
        lowerCaseUUIDs(in: &body)
        return body
    }

    /// As ``encode(_:)-(Encodable)``, without Foundation where the value can write itself.
    public static func encode<Value: UsuallyWritten>(_ value: Value) throws -> [UInt8] {
        if let body = value.usualBody { return body }
        return try encodeByFoundation(value)
    }

    private static func encodeByFoundation(_ message: some Encodable) throws -> [UInt8] { try encode(message) }

    /// Foundation can write UUIDs only in capitals; RFC 9562 (section 4) asks for lower case. A text that consists of a
    /// UUID alone becomes lower case too.
    private static func lowerCaseUUIDs(in body: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let hyphen = UInt8(ascii: "-")
        var index = 0
        while index + 37 < body.count {
            guard body[index] == quote, body[index + 37] == quote, body[index + 9] == hyphen,
                WireID.isID(body[(index + 1)...(index + 36)])
            else {
                index += 1
                continue
            }
            for digit in (index + 1)...(index + 36) where (0x41...0x46).contains(body[digit]) { body[digit] |= 0x20 }
            index += 38
        }
    }

    /// Fields that `type` does not have are ignored. Times may have fractions of a second.
    public static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value {
        try decoder.decode(type, from: Data(body))
    }

    /// As ``decode(_:_:)-(Decodable.Type,_)``, without Foundation where the message can read itself.
    public static func decode<M: Message>(_ type: M.Type, _ body: [UInt8]) throws -> M {
        if let message = FastJSON.read(type, body) { return message }
        return try decodeByFoundation(type, body)
    }

    private static func decodeByFoundation<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value {
        try decode(type, body)
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireTime.text(date))
        }
        return encoder
    }()

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = WireTime.parse(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        return decoder
    }()
}
