import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

extension Response {
    /// An answer whose body is the value as JSON.
    ///
    /// - Parameter location: where what was made is found; without it there is none.
    static func json(
        _ status: HTTPResponse.Status, _ value: some Encodable, at location: String? = nil
    ) throws -> Response {
        let response = Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder.service.encode(value))))
        return location.map { response.located(at: $0) } ?? response
    }
}
