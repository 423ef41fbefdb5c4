import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiIdentity

/// A world with an issuer that plays Nafath.
struct NafathWorld: Sendable {
    static let redirect = "http://127.0.0.1:1/back?from=nafath"

    let world: World
    let issuer: TestIssuer
    /// Follows no redirects, as the test looks where they lead.
    let browser: HTTPClient

    /// - Parameters:
    ///   - confirmation: what confirms accounts that were registered.
    ///   - clock: both have it.
    static func run(
        _ environment: [String: String] = [:], confirmation: Market.Confirmation = .none,
        onboarding: Market.Onboarding? = nil, clock: FixedClock = FixedClock(Date()),
        _ body: @escaping @Sendable (NafathWorld) async throws -> Void
    ) async throws {
        try await SandboxServer.withServer { sandbox, url in
            sandbox.nafath.setClock { clock.now }
            let settings = Self.environment(issuer: url + "/nafath", sandbox.nafath.client)
            let browser = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
            do {
                try await World.run(
                    settings.merging(environment) { $1 }, confirmation: confirmation, onboarding: onboarding,
                    clock: clock
                ) { world async throws in
                    try await body(NafathWorld(world: world, issuer: sandbox.nafath, browser: browser))
                }
            } catch {
                try await browser.shutdown()
                throw error
            }
            try await browser.shutdown()
        }
    }

    static func environment(issuer: String, _ client: TestIssuer.Client) -> [String: String] {
        [
            "SERAI_NAFATH_ISSUER": issuer, "SERAI_NAFATH_CLIENT_ID": client.id,
            "SERAI_NAFATH_CLIENT_SECRET": client.secret, "SERAI_NAFATH_REDIRECT_URL": redirect,
            "SERAI_IDENTITY_PASSWORD_MARKETS": "assef",
        ]
    }

    /// What an app has in its hands between the beginning and the end.
    struct Begun: Sendable {
        let url: String
        let state: String
        let secret: String
    }

    /// - Parameters:
    ///   - token: of who adds Nafath to an account; nil is signing in.
    ///   - password: of the same.
    func begin(token: String? = nil, password: String? = nil) async throws -> Begun {
        let path = token == nil ? "sessions/nafath" : "accounts/me/nafath"
        var body: [String: JSONValue] = ["market": "assef"]
        body["password"] = password.map(JSONValue.string)
        let answer = try await world.post(path, .object(body), token: token, key: nil)
        try #require(answer.status == 201, "\(answer)")
        return Begun(
            url: try #require(answer["url"]), state: try #require(answer["state"]),
            secret: try #require(answer["secret"]))
    }

    /// Logs the person in at the issuer and gives the code that comes back.
    func code(_ name: String, _ begun: Begun) async throws -> String {
        let request = HTTPClientRequest(url: begun.url + "&login_hint=\(name)")
        let response = try await browser.execute(request, timeout: .seconds(60))
        try #require(response.status.code == 302)
        let target = try #require(response.headers.first(name: "location"))
        try #require(target.hasPrefix(Self.redirect + "&"))
        let query = try #require(URLComponents(string: target)?.queryItems)
        #expect(query.first { $0.name == "state" }?.value == begun.state)
        return try #require(query.first { $0.name == "code" }?.value)
    }

    func finish(
        _ begun: Begun, code: String, secret: String? = nil, token: String? = nil, key: String = UUID().uuidString
    ) async throws -> Answer {
        try await world.post(
            token == nil ? "sessions/nafath/finish" : "accounts/me/nafath/finish",
            ["state": .string(begun.state), "code": .string(code), "secret": .string(secret ?? begun.secret)],
            token: token, key: key)
    }

    /// All of it.
    func signIn(_ name: String) async throws -> Answer {
        let begun = try await begin()
        return try await finish(begun, code: try await code(name, begun))
    }

    /// Makes somebody known to the issuer, whom no other test knows.
    func add(
        _ name: String, jobTitle: String? = nil, gender: String? = "female", mobile: String? = nil
    ) -> TestPerson {
        let person = TestPerson(
            nationalID: String(UInt64.random(in: 1_000_000_000..<2_000_000_000)), firstName: "Noura",
            lastName: "Al-Harbi", mobile: mobile ?? Person().mobile, gender: gender, jobTitle: jobTitle)
        issuer.add(person, as: name)
        return person
    }

    func roles(_ answer: Answer) -> [JSONValue] {
        guard case .array(let roles)? = answer.json?["roles"] else { return [] }
        return roles
    }
}
