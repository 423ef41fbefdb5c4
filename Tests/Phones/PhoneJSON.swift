import Foundation
import SeraiJSON

/// JSON as the services write and read it.
enum PhoneJSON {
    static func encode(_ value: some Encodable) throws -> Data { Data(try JSON.wire.encode(value)) }

    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSON.wire.decode(type, data)
    }
}
