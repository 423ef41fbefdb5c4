import Foundation
import ServiceKit

/// What an OpenID Connect provider says of itself (OpenID Connect Discovery 1.0, 3), as far as it is used.
struct IssuerDocument: Sendable {
    /// Why a document cannot be used; for the log.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    let authorizationEndpoint: String
    let tokenEndpoint: String
    let keysEndpoint: String
    let userInfoEndpoint: String?
    /// Whether the client's secret goes into the form instead of a header.
    let postsSecret: Bool

    /// - Parameter issuer: that was asked. Another one's document is refused.
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

    /// A provider that is reached by TLS has no parts that are not.
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
