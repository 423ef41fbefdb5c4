import Crypto
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore
import SeraiJSON

extension Response {
    /// An answer that is the same for all clients, with an `ETag` of its content: a client that already has it gets a
    /// 304.
    ///
    /// - Parameters:
    ///   - cache: the value of `Cache-Control`; `public, no-cache` lets caches store it and revalidate each time.
    ///   - language: of its texts, if it has any.
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

    /// The same for a value as JSON. Its members are sorted, so that equal values have equal tags.
    public static func cached(
        _ value: some Encodable, cache: String = "public, no-cache", language: Language? = nil
    ) throws -> Response {
        .cached(
            try JSON.answer.encode(value), type: "application/json; charset=utf-8", cache: cache,
            language: language)
    }
}
