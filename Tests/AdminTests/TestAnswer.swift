import Foundation
import NIOHTTP1
import SeraiJSON

@testable import ServiceKit

struct TestAnswer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    var json: JSONValue { get throws { try JSONValue(parsing: Array(text.utf8)) } }

    /// Of a problem.
    var slug: String? {
        get throws { try json["type"]?.string.map { String($0.dropFirst("urn:serai:problem:".count)) } }
    }

    /// Wrong fields of a problem and why.
    var codes: [String: String] {
        get throws {
            let errors = try json["errors"]?.array ?? []
            return Dictionary(
                errors.compactMap { error in
                    guard let field = error["field"]?.string, let code = error["code"]?.string else { return nil }
                    return (field, code)
                }
            ) { first, _ in first }
        }
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var items: [JSONValue] { self["items"]?.array ?? [] }
}
