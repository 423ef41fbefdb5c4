import HTTPTypes
public import Hummingbird

extension Response {
    /// A file of comma-separated values, made of ``CSVLine``s.
    ///
    /// - Parameter name: the name of the saved file, without its extension; ASCII.
    public static func csv(name: String, body: ResponseBody) -> Response {
        var headers: HTTPFields = [.contentType: "text/csv; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentDisposition] = "attachment; filename=\"\(name).csv\""
        return Response(status: .ok, headers: headers, body: body)
    }
}
