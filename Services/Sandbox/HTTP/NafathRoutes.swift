import Crypto
import Foundation
import Hummingbird

/// The test issuer's endpoints under `/nafath`, and its controls for tests under `/sandbox/nafath`.
struct NafathRoutes {
    let issuer: TestIssuer
    /// The issuer's identifier: `http://127.0.0.1:PORT/nafath`.
    let url: @Sendable () -> String

    private struct FaultChange: Decodable { let fault: IssuerFault? }
    private struct Rotation: Decodable { let keepsOld: Bool? }

    func add(to router: Router<SandboxContext>) {
        let routes = router.group("nafath")
        routes.get(".well-known/openid-configuration") { _, _ in try document() }
        routes.get("keys") { _, _ in try keys() }
        routes.get("authorize") { request, _ in authorize(request) }
        routes.post("token") { request, context in try await token(request, context) }
        routes.get("userinfo") { request, _ in try userInfo(request) }
        let control = router.group("sandbox/nafath")
        control.get { _, _ in Response(json: try JSONEncoder().encode(issuer.counts)) }
        control.put("fault") { request, context in
            issuer.fault = try await Self.decode(FaultChange.self, request, context).fault
            return Response(status: .noContent)
        }
        control.post("rotation") { request, context in
            issuer.rotateKey(keepsOld: try await Self.decode(Rotation.self, request, context).keepsOld ?? true)
            return Response(status: .noContent)
        }
        control.put("people/{name}") { request, context in
            let name = try context.parameters.require("name")
            issuer.add(try await Self.decode(TestPerson.self, request, context), as: name)
            return Response(status: .noContent)
        }
    }

    private func document() throws -> Response {
        issuer.count { $0.documents += 1 }
        let url = url()
        return try Self.json([
            "issuer": issuer.fault == .otherIssuer ? "https://elsewhere.example" : url,
            "authorization_endpoint": "\(url)/authorize", "token_endpoint": "\(url)/token", "jwks_uri": "\(url)/keys",
            "userinfo_endpoint": "\(url)/userinfo", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        ])
    }

    private func keys() throws -> Response {
        issuer.count { $0.keySets += 1 }
        let keys = issuer.keys.map { key in
            let point = key.privateKey.publicKey.rawRepresentation
            return [
                "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": key.id,
                "x": TestIssuer.base64URL(point.prefix(32)), "y": TestIssuer.base64URL(point.suffix(32)),
            ]
        }
        return try Self.json(["keys": keys])
    }

    /// Redirects the person in `login_hint` at once; without it, shows a page with all people.
    private func authorize(_ request: Request) -> Response {
        let query = request.uri.queryParameters
        func text(_ name: Substring) -> String? { query[name].map(String.init) }
        guard text("response_type") == "code", text("client_id") == issuer.client.id,
            text("code_challenge_method") == "S256", let challenge = text("code_challenge"), !challenge.isEmpty,
            text("scope")?.split(separator: " ").contains("openid") == true,
            let redirect = text("redirect_uri"), redirect.hasPrefix("http://") || redirect.hasPrefix("https://")
        else { return Response(status: .badRequest) }
        guard let name = text("login_hint") else { return page(request) }
        let asked = TestIssuer.Request(
            redirect: redirect, state: text("state"), nonce: text("nonce"), challenge: challenge)
        guard let code = issuer.authorize(name, asked) else { return Response(status: .notFound) }
        var target = redirect + (redirect.contains("?") ? "&" : "?") + "code=\(code)"
        if let state = asked.state { target += "&state=\(Self.escape(state))" }
        return Response(status: .found, headers: [.location: target])
    }

    private func page(_ request: Request) -> Response {
        let people = issuer.people.sorted { $0.key < $1.key }.map { name, person in
            let target = Self.html("authorize?\(request.uri.query ?? "")&login_hint=\(Self.escape(name))")
            let words = [person.firstName, person.lastName, person.jobTitle ?? ""].joined(separator: " ")
            return "<li><a href=\"\(target)\">\(Self.html(words))</a></li>"
        }
        let body = "<!doctype html><title>Nafath (sandbox)</title><h1>Who is it?</h1><ul>\(people.joined())</ul>"
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }

    private func token(_ request: Request, _ context: SandboxContext) async throws -> Response {
        issuer.count { $0.tokens += 1 }
        let fault = issuer.fault
        switch fault {
        case .down: return Response(status: .serviceUnavailable)
        case .redirect: return Response(status: .temporaryRedirect, headers: [.location: "\(url())/elsewhere"])
        case .noJSON: return Response(status: .ok)
        case .hugeAnswer:
            return try Self.json(["id_token": String(repeating: "x", count: 1_000_000)])
        case .wrongClient: return try Self.json(["error": "invalid_client"], status: .unauthorized)
        default: break
        }
        let body = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
        let form = Dictionary(URLComponents(string: "?\(body)")?.queryItems?.map { ($0.name, $0.value ?? "") } ?? []) {
            first, _ in first
        }
        guard isClient(request, form) else { return try Self.json(["error": "invalid_client"], status: .unauthorized) }
        guard form["grant_type"] == "authorization_code", let code = form["code"],
            let grant = issuer.redeem(code: code, redirect: form["redirect_uri"], verifier: form["code_verifier"])
        else { return try Self.json(["error": "invalid_grant"], status: .badRequest) }
        var answer: [String: Any] = [
            "access_token": issuer.accessToken(for: grant.person), "token_type": "Bearer", "expires_in": 300,
        ]
        if fault != .noToken {
            answer["id_token"] = try TestIDToken(issuer: issuer, url: url()).make(grant, fault: fault)
        }
        return try Self.json(answer)
    }

    private func userInfo(_ request: Request) throws -> Response {
        guard let token = request.headers[.authorization]?.split(separator: " ").last,
            let person = issuer.person(accessToken: String(token))
        else { return Response(status: .unauthorized) }
        var claims = TestIDToken.claims(of: person, all: true)
        if issuer.fault == .otherSubject { claims["sub"] = "somebody" }
        return try Self.json(claims)
    }

    private func isClient(_ request: Request, _ form: [String: String]) -> Bool {
        if let header = request.headers[.authorization], header.hasPrefix("Basic ") {
            let pair = Data("\(issuer.client.id):\(issuer.client.secret)".utf8).base64EncodedString()
            return header == "Basic \(pair)"
        }
        return form["client_id"] == issuer.client.id && form["client_secret"] == issuer.client.secret
    }

    // MARK: Texts

    private static func json(_ object: [String: Any], status: HTTPResponse.Status = .ok) throws -> Response {
        Response(status: status, json: try JSONSerialization.data(withJSONObject: object))
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ request: Request, _ context: SandboxContext
    ) async throws -> Value {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw HTTPError(.badRequest, message: "not the JSON that is wanted")
        }
    }
}
