import HTTPTypes
import Hummingbird

extension Request {
    /// Whether the client names `text/csv` among what it accepts, and not JSON.
    var acceptsOnlyCSV: Bool {
        let types = (headers[.accept] ?? "").prefix(500).split(separator: ",").map {
            $0.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        }
        return types.contains("text/csv") && !types.contains("application/json")
    }
}
