import HTTPTypes
import Hummingbird

/// The version of something as `ETag` and `If-Match` write it: `"3"`.
enum EntityTag {
    static func text(_ version: Int) -> String { "\"\(version)\"" }

    /// What the request wants it to be. Nil where any is good: without the header, and with `*`. What is no version of
    /// ours is 0, which nothing has.
    static func expected(by request: Request) -> Int? {
        guard let text = request.headers[.ifMatch], text != "*" else { return nil }
        guard text.count >= 3, text.hasPrefix("\""), text.hasSuffix("\"") else { return 0 }
        return Int(text.dropFirst().dropLast()) ?? 0
    }
}
