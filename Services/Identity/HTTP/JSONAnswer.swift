import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

extension Response {
    /// An answer whose body is the value as JSON.
    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder.service.encode(value))))
    }
}
