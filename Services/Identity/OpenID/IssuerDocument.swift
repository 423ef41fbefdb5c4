import Foundation
import SeraiJSON
import ServiceKit

/// The used part of an OpenID Connect provider's discovery document (OpenID Connect Discovery 1.0, section 3).
struct IssuerDocument: Sendable {
    /// Why a document cannot be used; for the log.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    let authorizationEndpoint: String
    let tokenEndpoint: String
    let keysEndpoint: String
    let userInfoEndpoint: String?
    /// Whether the client secret is sent in the form instead of a header.
    let postsSecret: Bool

    /// - Parameter issuer: the issuer that was asked. A document of another issuer is refused.
    init(_ json: JSONValue, issuer: String) throws(Fault) {
        guard json["issuer"] == .string(issuer) else { throw Fault(description: "it names another issuer") }
        authorizationEndpoint = try Self.endpoint("authorization_endpoint", json, issuer)
        tokenEndpoint = try Self.endpoint("token_endpoint", json, issuer)
        keysEndpoint = try Self.endpoint("jwks_uri", json, issuer)
        userInfoEndpoint = json["userinfo_endpoint"] == nil ? nil : try Self.endpoint("userinfo_endpoint", json, issuer)
        if case .array(let methods)? = json["token_endpoint_auth_methods_supported"] {
            postsSecret = !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
        } else {
            postsSecret = false
        }
        if case .array(let methods)? = json["code_challenge_methods_supported"], !methods.contains("S256") {
            throw Fault(description: "it does not know S256")
        }
    }

    /// Endpoints of a provider with TLS must use TLS too.
    private static func endpoint(_ name: String, _ json: JSONValue, _ issuer: String) throws(Fault) -> String {
        guard case .string(let text)? = json[name], text.utf8.count <= 2_000, let url = URLComponents(string: text),
            url.host?.isEmpty == false, url.user == nil, url.fragment == nil
        else { throw Fault(description: "\(name) is no URL") }
        guard url.scheme == "https" || url.scheme == "http" && issuer.hasPrefix("http:") else {
            throw Fault(description: "\(name) is not reached by TLS")
        }
        return text
    }
}
