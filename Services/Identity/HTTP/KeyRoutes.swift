import Foundation
import Hummingbird
import ServiceKit

/// The public keys that access tokens are checked with, for everybody.
struct KeyRoutes: Sendable {
    let ring: SigningKeyRing

    func add(to router: Router<SeraiRequestContext>) {
        router.get("identity/.well-known/jwks.json") { [ring] _, _ in
            Response.cached(ring.published, type: "application/jwk-set+json", cache: "public, max-age=300")
        }
    }
}
