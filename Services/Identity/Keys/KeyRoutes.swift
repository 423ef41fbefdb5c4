import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// Publishes the keys that verify access tokens, and the metadata by which gateways find them (RFC 8414, and OpenID
/// Connect Discovery's form of it). RFC 8414's own addresses, `/.well-known/…/identity`, lie outside this service's
/// paths: `deploy/Caddyfile` leads them here.
struct KeyRoutes: Sendable {
    let ring: SigningKeyRing
    let issuer: String
    /// The platform's base URL, as gateways reach it.
    let baseURL: String

    func add(to router: Router<SeraiRequestContext>) {
        router.get("identity/.well-known/jwks.json") { [ring] _, _ in
            Response.cached(ring.published, type: "application/jwk-set+json", cache: "public, max-age=300")
        }
        for name in ["openid-configuration", "oauth-authorization-server"] {
            router.get("identity/.well-known/\(name)") { _, _ in
                var response = try Response.json(
                    .ok, DiscoveryView(issuer: issuer, baseURL: baseURL, algorithms: ring.algorithms))
                response.headers[.cacheControl] = "public, max-age=300"
                return response
            }
        }
    }
}

/// Metadata that claims only what exists here: tokens come from sessions, and there is no authorization endpoint.
struct DiscoveryView: Encodable, Sendable {
    enum CodingKeys: String, CodingKey {
        case issuer
        case keys = "jwks_uri"
        case responseTypes = "response_types_supported"
        case subjectTypes = "subject_types_supported"
        case algorithms = "id_token_signing_alg_values_supported"
        case claims = "claims_supported"
    }

    let issuer: String
    let keys: String
    let responseTypes = ["token"]
    let subjectTypes = ["public"]
    /// The algorithms of the keys that are published now.
    let algorithms: [String]
    let claims = ["sub", "iss", "aud", "exp", "nbf", "iat", "jti", "sid", "roles", "verified", "locale"]

    init(issuer: String, baseURL: String, algorithms: [String]) {
        self.issuer = issuer
        self.algorithms = algorithms
        keys = "\(baseURL)/identity/.well-known/jwks.json"
    }
}
