import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import TestKit
import Testing

@testable import ServiceKit

@Suite("Authentication over HTTP")
struct AuthenticationTests {
    static func routes(_ router: Router<SeraiRequestContext>) {
        router.get("/open") { _, context in context.caller?.accountID.text ?? "nobody" }
        let group = router.group("/mine", context: AuthenticatedContext.self)
        group.get("/id") { _, context in context.caller.accountID.text }
        group.get("/admin/{market}") { _, context -> String in
            try context.caller.require("admin", in: try context.parameters.require("market"))
            return "admin"
        }
        group.post("/form") { request, context -> String in
            throw (try await request.form(context: context)).problem
        }
    }

    func get(
        _ client: any TestClientProtocol, _ uri: String, _ authorization: String? = nil, language: String? = nil
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = authorization
        headers[.acceptLanguage] = language
        return try await client.execute(uri: uri, method: .get, headers: headers) { $0 }
    }

    @Test("I15: a route of signed-in callers answers 401 without a token and knows the caller with one")
    func signedIn() async throws {
        let tokens = try await TokenFixture()
        let token = try await tokens.currentToken()
        let fixture = try ServerFixture(verifier: tokens.verifier, routes: Self.routes)
        try await fixture.test { client async throws in
            let refused = try await get(client, "/mine/id")
            #expect(try ProblemAnswer(refused).slug == "unauthenticated")
            #expect(refused.headers[.wwwAuthenticate] == "Bearer")
            #expect(try await get(client, "/mine/id", "Bearer " + token).text == tokens.account.text)
            #expect(try await get(client, "/mine/id", "bearer " + token).text == tokens.account.text)
            #expect(try await get(client, "/open").text == "nobody")
            #expect(try await get(client, "/open", "Bearer " + token).text == tokens.account.text)
        }
        #expect(
            try await fixture.logs.line("request") { $0["http.route"] == "/mine/id" && $0["http.status"] == "200" }[
                "account.id"] == tokens.account.text)
    }

    @Test("I15: a token that is not accepted is a 401 where a caller is needed; an expired one says so")
    func refused() async throws {
        let tokens = try await TokenFixture()
        let expired = try await tokens.signer.sign(tokens.claims(at: Date(timeIntervalSinceNow: -7_200)))
        let fixture = try ServerFixture(verifier: tokens.verifier, routes: Self.routes)
        try await fixture.test { client async throws in
            for bad in Self.refusedHeaders {
                let answer = try await get(client, "/mine/id", bad)
                #expect(answer.status == .unauthorized, "\(bad.prefix(20))")
                #expect(answer.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
            #expect(try ProblemAnswer(try await get(client, "/mine/id", "Bearer " + expired)).slug == "token-expired")
        }
    }

    @Test(
        "I15: where no caller is needed a token that is not accepted is nobody's, so an app that attaches it can refresh"
    )
    func nobodys() async throws {
        let tokens = try await TokenFixture()
        let expired = try await tokens.signer.sign(tokens.claims(at: Date(timeIntervalSinceNow: -7_200)))
        let fixture = try ServerFixture(verifier: tokens.verifier, routes: Self.routes)
        try await fixture.test { client async throws in
            for header in Self.refusedHeaders + ["Bearer " + expired] {
                let answer = try await get(client, "/open", header)
                #expect(answer.status == .ok && answer.text == "nobody", "\(header.prefix(20))")
                // Not a 401 before the 404 either.
                #expect(try await get(client, "/nowhere", header).status == .notFound)
            }
        }
    }

    private static let refusedHeaders = [
        "Bearer", "Bearer ", "Basic abc", "Bearer a b", "Bearer x.y.z",
        "Bearer " + String(repeating: "a", count: 9_000),
    ]

    @Test("Q7: a role of one market is nothing in another")
    func roles() async throws {
        let tokens = try await TokenFixture()
        let token = try await tokens.currentToken(roles: [MarketRole(market: "assef", role: "admin")])
        try await ServerFixture(verifier: tokens.verifier, routes: Self.routes).test { client async throws in
            #expect(try await get(client, "/mine/admin/assef", "Bearer " + token).text == "admin")
            #expect(
                try ProblemAnswer(try await get(client, "/mine/admin/hajji", "Bearer " + token)).slug == "forbidden")
        }
    }

    @Test("P7: without Accept-Language a problem is in the account's language")
    func accountLanguage() async throws {
        let tokens = try await TokenFixture()
        let token = try await tokens.currentToken()
        try await ServerFixture(verifier: tokens.verifier, routes: Self.routes).test { client async throws in
            let arabic = try await get(client, "/mine/admin/hajji", "Bearer " + token)
            #expect(arabic.headers[.contentLanguage] == "ar")
            let english = try await get(client, "/mine/admin/hajji", "Bearer " + token, language: "en-GB")
            #expect(english.headers[.contentLanguage] == "en")
        }
    }

    @Test("callers are limited each on their own; who is not signed in by the limit of addresses alone")
    func limitedByCaller() async throws {
        let tokens = try await TokenFixture()
        let other = try await TokenFixture()
        await tokens.verifier.replaceKeys(try TokenKeySet(json: tokens.signer.keySetJSON.utf8))
        var settings = HTTPSettings()
        settings.callerRate = RateLimit(perSecond: 0.01, burst: 1)
        let first = try await tokens.currentToken()
        var claims = other.claims(at: Date())
        claims.sub = other.account.text
        let second = try await tokens.signer.sign(claims)
        try await ServerFixture(settings, verifier: tokens.verifier, routes: Self.routes).test { client async throws in
            #expect(try await get(client, "/open", "Bearer " + first).status == .ok)
            #expect(try await get(client, "/open", "Bearer " + first).status == .tooManyRequests)
            #expect(try await get(client, "/open", "Bearer " + second).status == .ok)
            for _ in 0..<100 { #expect(try await get(client, "/open").status == .ok) }
        }
    }
}
