import Foundation
import Messaging

// Every POST stores its answer, so the JSON is written by hand. It equals Foundation's, because older processes read it
// too.

extension StoredAnswer: UsuallyWritten {
    var usualBody: [UInt8]? {
        var json = UsualObject(capacity: body.count * 4 / 3 + 256)
        json.add("status", status)
        json.add("headers", headers) { field, json in
            json.add("name", text: field.name)
            json.add("value", text: field.value)
        }
        json.add("body", word: body.base64EncodedString())
        return json.end()
    }

    /// - Throws: Foundation's errors.
    var json: Data {
        get throws { try usualBody.map { Data($0) } ?? JSONEncoder().encode(self) }
    }

    /// - Throws: Foundation's errors.
    init(json: Data) throws {
        self = try Self.usual(json) ?? JSONDecoder().decode(StoredAnswer.self, from: json)
    }

    /// Nil for JSON of unusual form.
    static func usual(_ bytes: Data) -> StoredAnswer? {
        FastJSON.read([UInt8](bytes)) { json throws(FastJSON.UnsupportedJSON) in
            var (status, headers, body): (Int?, [Field]?, Data?)
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "status" where status == nil: status = try json.integer()
                case "headers" where headers == nil:
                    headers = try json.array { json throws(FastJSON.UnsupportedJSON) in try Field(usual: &json) }
                case "body" where body == nil:
                    guard let bytes = Data(base64Encoded: try json.text()) else { throw FastJSON.UnsupportedJSON() }
                    body = bytes
                default: throw FastJSON.UnsupportedJSON()
                }
            }
            guard let status, let headers, let body else { return nil }
            return StoredAnswer(status: status, headers: headers, body: body)
        }
    }
}

extension StoredAnswer.Field {
    fileprivate init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var (name, value): (String?, String?)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "name" where name == nil: name = try json.text()
            case "value" where value == nil: value = try json.text()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let name, let value else { throw FastJSON.UnsupportedJSON() }
        self.init(name: name, value: value)
    }
}
