import HTTPTypes
public import Hummingbird

extension Response {
    /// The same answer with the path of the created resource, or the path where it is read if it has no path of its own
    /// (RFC 9110, 10.2.2).
    ///
    /// - Parameter path: from the root; its parts are ids and names that need no escaping.
    public func located(at path: String) -> Response {
        var response = self
        response.headers[.location] = path
        return response
    }
}
