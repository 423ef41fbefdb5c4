import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

extension Response {
    /// Makes a JSON response.
    ///
    /// - Parameter location: the address of a created resource; nil for none.
    static func json(
        _ status: HTTPResponse.Status, _ value: some Encodable, at location: String? = nil
    ) throws -> Response {
        let body = try JSONEncoder.service.encode(value)
        let response = Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
        return location.map { response.located(at: $0) } ?? response
    }
}

/// `{"items": […]}`: a list that is short enough to be returned whole.
struct WholeList<Item: Encodable & Sendable>: ResponseEncodable, Sendable {
    let items: [Item]
}

/// An amount of money in JSON.
struct AmountView: Encodable, Sendable {
    /// Minor units.
    let amount: Int
    let currency: String
}
