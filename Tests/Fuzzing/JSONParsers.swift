import Foundation
import SeraiJSON

extension Parser {
    /// The reader and the writer of JSON: what is read is written, and read again as the same.
    static let json = Parser(name: "json") { bytes in
        if let value = try? JSONValue(parsing: bytes) {
            // `1e3` is written as a whole number, so the texts are compared and not the values.
            let sorted = try JSON.sorted.text(value)
            for form in [JSON.answer, .sorted, .wire] {
                let written = try form.encode(value)
                let again = try JSON.sorted.text(try JSONValue(parsing: written))
                try require(again == sorted, "\(sorted) is written as \(text(written))")
                // An escape is six bytes for one; a number has at most 25 digits and signs.
                try require(written.count <= 25 * bytes.count + 4, "it has grown to \(written.count) bytes")
            }
        }
        for form in [JSON.answer, .stored] {
            guard let everything = try? form.decode(Everything.self, bytes) else { continue }
            let written = try form.encode(everything)
            try same(try form.encode(try form.decode(Everything.self, written)), written)
        }
    }

    /// Whether two texts say the same: the members of a dictionary have no order.
    static func same(_ left: [UInt8], _ right: [UInt8]) throws {
        let (left, right) = (try JSONValue(parsing: left), try JSONValue(parsing: right))
        try require(left == right, "not the same twice: \(left), \(right)")
    }

    /// Ids and times.
    static let wireTexts = Parser(name: "wire-texts") { bytes in
        let text = text(bytes)
        if let id = WireID.parse(text) {
            try require(WireID.text(id) == text.lowercased(), "\(text) is \(WireID.text(id))")
        }
        if let time = WireTime.parse(text) {
            let written = WireTime.text(time)
            guard let again = WireTime.parse(written) else { throw Broken("\(text) is written as \(written)") }
            try require(WireTime.text(again) == written, "\(written) is not written twice")
            try require(abs(again.timeIntervalSince(time)) < 0.001, "\(text) is written as \(written)")
        }
    }
}

/// One field of each kind that a `Codable` type may have.
private struct Everything: Codable {
    var flag: Bool?
    var number: Int?
    var small: Int8?
    var large: UInt64?
    var fraction: Double?
    var narrow: Float?
    var text: String?
    var id: UUID?
    var time: Date?
    var data: Data?
    var list: [Int]?
    var names: [String: String]?
    var more: [Everything]?
}
