import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

extension Response {
    /// - Parameter name: of the file that a browser saves, without its ending; ASCII.
    static func csv(name: String, body: ResponseBody) -> Response {
        var headers: HTTPFields = [.contentType: "text/csv; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentDisposition] = "attachment; filename=\"\(name).csv\""
        return Response(status: .ok, headers: headers, body: body)
    }
}
