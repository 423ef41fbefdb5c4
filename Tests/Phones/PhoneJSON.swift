import Foundation
import Messaging

/// JSON as the services speak it: times are RFC 3339, with or without fractions of a second. By the services' own reader,
/// which the tests of messages hold against Foundation's.
enum PhoneJSON {
    static func encode(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let bytes = [UInt8](data)
        if let often = type as? any FastDecodable.Type, let value = often.read(bytes) as? Value { return value }
        return try MessageJSON.decode(type, bytes)
    }
}

/// What comes so often that Foundation took a fifth of what the phones cost. Fields that a phone does not know are passed
/// over, as by Foundation; what has more to it than most is Foundation's.
protocol FastDecodable: Decodable {
    /// Nil, as an ``FastJSON/UnsupportedJSON`` that is thrown, leaves it to Foundation.
    static func read(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Self?
}

extension FastDecodable {
    fileprivate static func read(_ bytes: [UInt8]) -> Self? {
        FastJSON.read(bytes) { json throws(FastJSON.UnsupportedJSON) in try read(&json) }
    }
}
