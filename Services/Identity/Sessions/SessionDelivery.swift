import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import ServiceKit

/// Gives a session's tokens to its owner's device, in one of two ways.
///
/// An app on a phone reads both tokens from the body. A page in a browser sends `Serai-Session: cookie`: its refresh token
/// comes and goes in a cookie that no script can read, so that a script in the page could use the session only while the
/// page is open. The access token is in the body for both.
///
/// A page of another site cannot use the cookie: it is `SameSite=Strict`, a browser sends the header to another origin only
/// after that origin's consent (``CrossOriginMiddleware`` never gives it for this header), and a request that the browser
/// itself calls foreign (`Sec-Fetch-Site`) is refused.
///
/// A page of a sibling host, or of the same host without TLS, could set a cookie of the same name, by which a person
/// would work in somebody else's session. So with TLS the name has the prefix `__Host-`: a browser takes such a cookie
/// from this host alone, over TLS, with `Path=/`. And a request with two different cookies of the name is refused.
struct SessionDelivery: Sendable {
    /// Whether the pages are served over TLS, so that the cookie never travels without it.
    let isSecure: Bool
    /// For the names of titles.
    let markets: LiveMarkets

    static func cookie(isSecure: Bool) -> String { isSecure ? "__Host-serai-session" : "serai-session" }

    var cookie: String { Self.cookie(isSecure: isSecure) }
    /// Without TLS only the routes that exchange or end a session see the cookie; the prefix asks for the whole host.
    private var path: String { isSecure ? "/" : "/identity/v1/sessions" }

    /// - Parameter status: 201 also names the path by which the session is ended.
    /// - Throws: a 403 for a page of another site.
    func answer(_ status: HTTPResponse.Status, _ grant: SessionGrant, to request: Request) throws -> Response {
        let usesCookie = try usesCookie(request)
        var response = try Response.json(status, SessionView(grant, markets, tellsRefreshToken: !usesCookie))
        if status == .created { response = response.located(at: SessionGrant.path) }
        if usesCookie {
            response.headers[.setCookie] = setCookie(grant.refreshToken, seconds: Int(SessionRule.idleSeconds))
        }
        return response
    }

    /// The token in the request's cookie; nil where the body has it.
    ///
    /// - Throws: a 401 without a cookie, or with different ones; a 403 for a page of another site.
    func token(in request: Request) throws -> RefreshToken? {
        guard try usesCookie(request) else { return nil }
        let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let values = pairs.compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0] == cookie ? parts[1] : nil
        }
        guard let value = values.first, Set(values).count == 1, let token = RefreshToken(text: value) else {
            throw IdentityError.sessionEnded
        }
        return token
    }

    /// The same answer, which removes the cookie of a browser whose session has ended.
    func forgetting(_ response: Response, _ request: Request) throws -> Response {
        guard try usesCookie(request) else { return response }
        var response = response
        response.headers[.setCookie] = setCookie("", seconds: 0)
        return response
    }

    private func usesCookie(_ request: Request) throws(Problem) -> Bool {
        guard request.headers[.seraiSession] == "cookie" else { return false }
        if let site = request.headers[.secFetchSite], site != "same-origin" { throw .forbidden }
        return true
    }

    private func setCookie(_ value: String, seconds: Int) -> String {
        "\(cookie)=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension HTTPField.Name {
    /// `cookie` from a page in a browser.
    static let seraiSession = HTTPField.Name("serai-session") ?? .userAgent
    static let secFetchSite = HTTPField.Name("sec-fetch-site") ?? .userAgent
}
