import Foundation
import Hummingbird
import NIOCore
import ServiceKit

/// The public keys that access tokens are checked with, for everybody.
struct KeyRoutes: Sendable {
    let ring: SigningKeyRing

    func add(to router: Router<SeraiRequestContext>) {
        router.get("identity/.well-known/jwks.json") { [ring] _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/jwk-set+json", .cacheControl: "public, max-age=300"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: ring.published)))
        }
    }
}
