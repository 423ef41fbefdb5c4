import Foundation

/// How payloads look on the wire.
public enum MessageJSON {
    /// Times are RFC 3339 in UTC with milliseconds.
    public static func encode(_ message: some Encodable) throws -> [UInt8] {
        [UInt8](try encoder.encode(message))
    }

    /// Fields that `type` does not know are ignored. Times may have fractions of a second or not.
    public static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value {
        try decoder.decode(type, from: Data(body))
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(.iso8601WithMilliseconds))
        }
        return encoder
    }()

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            let style: Date.ISO8601FormatStyle = text.contains(".") ? .iso8601WithMilliseconds : .iso8601
            do {
                return try style.parse(text)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
        }
        return decoder
    }()
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    fileprivate static var iso8601WithMilliseconds: Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    }
}
