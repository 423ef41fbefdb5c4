import AsyncHTTPClient
import Foundation
import Logging
import SeraiJSON
import ServiceKit

/// An OpenID Connect provider for signing in, by the authorization code flow with PKCE (I5). No transaction is open
/// during its requests.
struct OpenIDProvider: Sendable {
    enum Fault: Error {
        /// The provider does not answer, or does not know this platform: an error that the person cannot correct.
        case unavailable
        /// The code, or the token received for it, is not valid.
        case refused
    }

    let settings: OpenIDSettings
    private let client: HTTPClient
    private let requests: OpenIDRequests
    private let cache: IssuerCache
    private let logger: Logger

    /// The caller must close the provider: ``close()``.
    init(settings: OpenIDSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        client = OpenIDRequests.makeClient()
        requests = OpenIDRequests(client: client, limit: settings.limit)
        cache = IssuerCache(settings: settings, requests: requests, logger: logger)
    }

    func close() async {
        // try?: the process ends, and the client's resources with it.
        try? await client.shutdown()
    }

    /// The URL of the provider's sign-in page.
    ///
    /// - Parameter language: of the page, in BCP 47 form.
    func authorizationURL(state: String, secret: OpenIDSecret, language: String) async throws(Fault) -> String {
        let endpoint: String
        do {
            endpoint = try await cache.currentDocument().authorizationEndpoint
        } catch {
            throw .unavailable
        }
        let query = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", settings.redirectURL),
            ("scope", settings.scopes.joined(separator: " ")), ("state", state), ("nonce", secret.nonce),
            ("code_challenge", secret.challenge), ("code_challenge_method", "S256"), ("ui_locales", language),
        ].map { "\($0.0)=\(OpenIDRequests.escape($0.1))" }.joined(separator: "&")
        return endpoint + (endpoint.contains("?") ? "&" : "?") + query
    }

    /// Exchanges a code for the person's claims.
    func redeem(_ code: Redacted<String>, secret: OpenIDSecret, at now: Date) async throws(Fault) -> NafathClaims {
        let answer = try await exchange(code, secret)
        guard case .string(let text)? = answer["id_token"] else { throw .refused }
        let claims = try await check(text, secret, at: now)
        var person = NafathClaims(claims, settings.claims)
        guard !person.isComplete else { return person }
        if case .string(let access)? = answer["access_token"] {
            person.fill(from: try await userInfo(Redacted(access), subject: claims["sub"]))
        }
        return person
    }

    private func exchange(_ code: Redacted<String>, _ secret: OpenIDSecret) async throws(Fault) -> JSONValue {
        var form = [
            ("grant_type", "authorization_code"), ("code", code.revealed), ("redirect_uri", settings.redirectURL),
            ("code_verifier", secret.verifier),
        ]
        var authorization: Redacted<String>?
        let status: UInt
        let json: JSONValue?
        do {
            let document = try await cache.currentDocument()
            if document.postsSecret {
                form += [("client_id", settings.clientID), ("client_secret", settings.clientSecret.revealed)]
            } else {
                authorization = basic
            }
            (status, json) = try await requests.post(document.tokenEndpoint, form, authorization: authorization)
        } catch {
            throw unavailable("token", "\(error)")
        }
        if status == 200, let json { return json }
        // The only error about the code (RFC 6749, 5.2); all others are about this platform.
        if status == 400, json?["error"] == "invalid_grant" { throw .refused }
        throw unavailable("token", "status \(status)")
    }

    private func check(_ text: String, _ secret: OpenIDSecret, at now: Date) async throws(Fault) -> JSONValue {
        let key: IDTokenKeys.Key?
        do {
            let token = try IDToken(text)
            do {
                key = try await cache.key(token.keyID)
            } catch {
                throw unavailable("keys", "\(error)")
            }
            guard let key else { throw IDToken.Refusal.unknownKey }
            return try token.check(
                with: key,
                IDToken.Expectation(
                    issuer: settings.issuer, clientID: settings.clientID, nonce: secret.nonce, now: now))
        } catch let fault as Fault {
            throw fault
        } catch {
            logger.warning("ID token refused", metadata: ["refusal": "\(error)"])
            throw .refused
        }
    }

    /// Nil when the provider has no user info endpoint; another person's claims are refused (OpenID Connect Core 1.0,
    /// 5.3.2).
    private func userInfo(
        _ access: Redacted<String>, subject: JSONValue?
    ) async throws(Fault) -> (JSONValue, OpenIDSettings.ClaimNames)? {
        let json: JSONValue
        do {
            guard let url = try await cache.currentDocument().userInfoEndpoint else { return nil }
            json = try await requests.get(url, bearer: access)
        } catch {
            throw unavailable("user info", "\(error)")
        }
        guard json["sub"] == subject else { throw .refused }
        return (json, settings.claims)
    }

    /// RFC 6749, 2.3.1: both values are form-encoded first.
    private var basic: Redacted<String> {
        let pair = [settings.clientID, settings.clientSecret.revealed].map(OpenIDRequests.escape)
        return Redacted("Basic " + Data(pair.joined(separator: ":").utf8).base64EncodedString())
    }

    private func unavailable(_ what: String, _ why: String) -> Fault {
        logger.warning("identity provider does not answer", metadata: ["what": "\(what)", LogKeys.error: "\(why)"])
        return .unavailable
    }
}
