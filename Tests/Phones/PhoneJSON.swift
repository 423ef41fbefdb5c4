import Foundation
import Messaging

/// JSON as the services speak it: times are RFC 3339, with or without fractions of a second. By the services' own reader,
/// which the tests of messages hold against Foundation's.
enum PhoneJSON {
    static func encode(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try MessageJSON.decode(type, [UInt8](data))
    }
}
