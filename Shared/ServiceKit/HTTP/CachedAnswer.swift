import Crypto
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore

extension Response {
    /// An answer that is the same for everybody, with an `ETag` of its content: whoever has it already is answered 304.
    ///
    /// - Parameters:
    ///   - cache: the value of `Cache-Control`; `public, no-cache` lets others keep it and ask each time whether it holds.
    ///   - language: of its texts, where it has some.
    public static func cached(
        _ bytes: some Collection<UInt8>, type: String, cache: String, language: Language? = nil
    ) -> Response {
        let hash = SHA256.hash(data: Data(bytes)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: cache, .eTag: "\"\(hash.joined())\"",
        ]
        if let language {
            headers[.contentLanguage] = language.rawValue
            headers[.vary] = "Accept-Language"
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The same of a value as JSON. Its members are in the order of their names: Foundation's own order is another one each
    /// time, and so would be the tag.
    public static func cached(
        _ value: some Encodable, cache: String = "public, no-cache", language: Language? = nil
    ) throws -> Response {
        .cached(
            try JSONEncoder.ordered.encode(value), type: "application/json; charset=utf-8", cache: cache,
            language: language)
    }
}
