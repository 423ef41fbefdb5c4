import Contracts
import HTTPTypes
import Hummingbird

/// A version as `ETag` and `If-Match` write it: `"3"`.
enum EntityTag {
    static func text(_ version: Int) -> String { "\"\(version)\"" }

    /// The version that the request expects. Nil accepts any version: without the header, and for `*`. A text that is
    /// not one of our versions gives 0, which no row has.
    static func expected(by request: Request) -> Int? {
        guard let text = request.headers[.ifMatch], text != "*" else { return nil }
        guard text.count >= 3, text.hasPrefix("\""), text.hasSuffix("\"") else { return 0 }
        return Int(plain: text.dropFirst().dropLast()) ?? 0
    }
}
