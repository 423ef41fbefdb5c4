import Crypto
import Foundation
import HTTPTypes
import SeraiJSON

/// The input by which two requests are the same: method, path with query, and body. JSON bodies are compared by value,
/// so the order of members and white space do not matter. Fields with secrets are left out, because a hash of a
/// password must not be stored, not even a keyed one.
struct IdempotencyInput {
    /// Compared without case, and by letters and digits only.
    static let secretFields: Set<String> = [
        "password", "newpassword", "currentpassword", "oldpassword", "passwordrepeat", "cvv", "cvc", "pin", "otp",
        "secret", "refreshtoken", "accesstoken",
    ]

    let bytes: Data

    init(method: HTTPRequest.Method, path: String, body: Data, isJSON: Bool, secretFields: Set<String>) {
        let secrets = Self.secretFields.union(secretFields.map(Self.normalized))
        let content = isJSON ? Self.canonical(body, without: secrets) ?? body : body
        var bytes = Data()
        for part in [Data(method.rawValue.utf8), Data(path.utf8), content] {
            bytes.append(contentsOf: "\(part.count):".utf8)
            bytes.append(part)
        }
        self.bytes = bytes
    }

    private static func canonical(_ body: Data, without secrets: Set<String>) -> Data? {
        // A body that is no JSON is compared as bytes; the handler will refuse it.
        guard let value = try? JSONValue(parsing: body) else { return nil }
        // try?: parsed JSON always encodes.
        guard let json = try? JSON.sorted.encode(strip(value, secrets)) else { return nil }
        // Slashes are escaped, as they were in the hashes of keys that are stored.
        var bytes = Data(capacity: json.count)
        for byte in json {
            if byte == UInt8(ascii: "/") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return bytes
    }

    private static func strip(_ value: JSONValue, _ secrets: Set<String>) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.filter { !secrets.contains(normalized($0.key)) }.mapValues { strip($0, secrets) })
        case .array(let elements): .array(elements.map { strip($0, secrets) })
        default: value
        }
    }

    private static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
