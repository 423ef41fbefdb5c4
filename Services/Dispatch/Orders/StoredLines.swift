import Foundation
import Messaging

extension Order.Line {
    /// Decodes the lines of a stored order. Has its own parser, since each read of an order needs them.
    ///
    /// - Parameter json: text of the column.
    /// - Throws: Foundation's decoding errors, for JSON that this program did not write.
    static func all(stored json: [UInt8]) throws -> [Order.Line] {
        try usual(json) ?? JSONDecoder().decode([Order.Line].self, from: Data(json))
    }

    /// The lines, if the JSON has the usual form; else nil.
    static func usual(_ json: [UInt8]) -> [Order.Line]? {
        FastJSON.read(json) { json throws(FastJSON.UnsupportedJSON) in
            try json.array { json throws(FastJSON.UnsupportedJSON) in try Order.Line(usual: &json) }
        }
    }

    private init(usual json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var (service, names, price): (String?, [String: String]?, Int?)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "service" where service == nil: service = try json.text()
            case "names" where names == nil: names = try json.texts()
            case "price" where price == nil: price = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let service, let names, let price else { throw FastJSON.UnsupportedJSON() }
        self.init(service: service, names: names, price: price)
    }
}
