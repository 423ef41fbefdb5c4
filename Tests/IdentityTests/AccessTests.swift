import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Who may do what, and what is kept", .timeLimit(.minutes(5)))
struct AccessTests {
    @Test("Q7: every endpoint answers every kind of caller as it should")
    func matrix() async throws {
        try await World.run { world async throws in
            let provider = try await world.register(.provider()).text
            let nobody: Tokens? = nil
            let customer = try await world.join(Person())
            let nurse = try await world.join(.provider())
            let foreign = try await world.foreignAdmin()
            let admin = try await world.admin(of: "assef")
            let master = try await world.admin(of: "*")
            let callers = [nobody, customer, nurse, foreign, admin, master]
            // What each gets; the bodies are empty, so who may do it at all is told that fields are missing.
            let expected: [(String, String, JSONValue?, [Int])] = [
                ("POST", "accounts", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "sessions", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "sessions/refresh", [:], [422, 422, 422, 422, 422, 422]),
                ("GET", "accounts/me", nil, [401, 200, 200, 200, 200, 200]),
                ("PATCH", "accounts/me", [:], [401, 200, 200, 200, 200, 200]),
                ("POST", "accounts/me/roles", [:], [401, 422, 422, 422, 422, 422]),
                ("GET", "markets/assef/providers", nil, [401, 403, 403, 403, 200, 200]),
                (
                    "POST", "markets/assef/providers/\(provider)/verification", [:],
                    [401, 403, 403, 403, 422, 422]
                ),
                ("POST", "markets/assef/providers/no-id/verification", [:], [401, 403, 403, 403, 404, 404]),
                ("GET", "markets/hajji/providers", nil, [401, 403, 403, 404, 403, 404]),
                ("PUT", "accounts/me/active-role", [:], [401, 422, 422, 422, 422, 422]),
                ("POST", "accounts/me/email", [:], [401, 422, 422, 422, 422, 422]),
                ("POST", "accounts/me/mobile", [:], [401, 422, 422, 422, 422, 422]),
                ("POST", "accounts/me/mobile/code", [:], [401, 422, 422, 422, 422, 422]),
                ("POST", "contact-changes/finish", [:], [422, 422, 422, 422, 422, 422]),
                ("PUT", "accounts/me/avatar", nil, [401, 415, 415, 415, 415, 415]),
                ("DELETE", "accounts/me/avatar", nil, [401, 204, 204, 204, 204, 204]),
                ("GET", "avatars/\(String(repeating: "0", count: 64))", nil, [404, 404, 404, 404, 404, 404]),
                ("GET", "markets/assef/logo", nil, [200, 200, 200, 200, 200, 200]),
                ("GET", "markets/assef/people/\(provider)", nil, [401, 200, 200, 200, 200, 200]),
                ("GET", "markets/hajji/people/\(provider)", nil, [401, 403, 403, 404, 403, 404]),
                ("GET", "accounts/me/places?market=assef", nil, [401, 200, 200, 200, 200, 200]),
                ("POST", "accounts/me/places", [:], [401, 422, 422, 422, 422, 422]),
                ("GET", "accounts/me/places/\(provider)", nil, [401, 404, 404, 404, 404, 404]),
                ("PUT", "accounts/me/places/\(provider)", [:], [401, 404, 404, 404, 404, 404]),
                ("DELETE", "accounts/me/places/\(provider)", nil, [401, 404, 404, 404, 404, 404]),
                ("GET", "accounts/me/providers/assef", nil, [401, 404, 200, 404, 404, 404]),
                ("PUT", "accounts/me/providers/assef/details", [:], [401, 404, 200, 404, 404, 404]),
                ("PUT", "accounts/me/providers/assef/documents/licence", nil, [401, 415, 415, 415, 415, 415]),
                ("GET", "accounts/me/providers/assef/documents/\(provider)", nil, [401, 404, 404, 404, 404, 404]),
                ("GET", "markets/assef/providers/\(provider)/papers", nil, [401, 403, 403, 403, 200, 200]),
                (
                    "GET", "markets/assef/providers/\(provider)/documents/\(provider)", nil,
                    [401, 403, 403, 403, 404, 404]
                ),
                (
                    "POST", "markets/assef/providers/\(provider)/documents/\(provider)/decision", [:],
                    [401, 403, 403, 403, 422, 422]
                ),
                ("POST", "accounts/me/password", [:], [401, 422, 422, 422, 422, 422]),
                ("POST", "confirmations", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "confirmations/code", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "confirmations/resend", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "password-resets", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "password-resets/finish", [:], [422, 422, 422, 422, 422, 422]),
                ("GET", "markets/assef/bans", nil, [401, 403, 403, 403, 200, 200]),
                ("POST", "markets/assef/bans", [:], [401, 403, 403, 403, 422, 422]),
                ("DELETE", "markets/assef/bans/\(provider)", nil, [401, 403, 403, 403, 404, 404]),
                ("GET", "markets/*/bans", nil, [401, 403, 403, 403, 403, 200]),
                ("POST", "markets/*/bans", [:], [401, 403, 403, 403, 403, 422]),
                ("GET", "markets/assef/admins", nil, [401, 403, 403, 403, 403, 200]),
                ("POST", "markets/assef/admins", [:], [401, 403, 403, 403, 403, 422]),
                ("DELETE", "markets/assef/admins/\(provider)", nil, [401, 403, 403, 403, 403, 404]),
                ("GET", "accounts/me/links", nil, [401, 200, 200, 200, 200, 200]),
                ("POST", "accounts/me/links", [:], [401, 422, 422, 422, 422, 422]),
                ("POST", "accounts/me/links/\(provider)/agreement", [:], [401, 404, 404, 404, 404, 404]),
                ("POST", "accounts/me/links/\(provider)/removal", ["reason": "x"], [401, 404, 404, 404, 404, 404]),
                ("DELETE", "accounts/me/links/\(provider)", nil, [401, 404, 404, 404, 404, 404]),
                ("PUT", "accounts/me/shared-place", [:], [401, 422, 422, 422, 422, 422]),
                ("DELETE", "accounts/me/shared-place", nil, [401, 204, 204, 204, 204, 204]),
                ("GET", "markets/assef/links", nil, [401, 403, 403, 403, 200, 200]),
                ("POST", "markets/assef/links", [:], [401, 403, 403, 403, 422, 422]),
                ("POST", "markets/assef/links/\(provider)/approval", [:], [401, 403, 403, 403, 404, 404]),
                ("DELETE", "markets/assef/links/\(provider)", nil, [401, 403, 403, 403, 404, 404]),
                ("POST", "markets/assef/people", [:], [401, 403, 403, 403, 422, 422]),
                ("PATCH", "markets/assef/people/\(UUID().text)", [:], [401, 403, 403, 403, 404, 404]),
                ("DELETE", "markets/assef/people/\(UUID().text)", nil, [401, 403, 403, 403, 404, 404]),
                ("POST", "markets/assef/people/\(UUID().text)/invitation", [:], [401, 403, 403, 403, 404, 404]),
                ("GET", "markets/assef/removals", nil, [401, 403, 403, 403, 200, 200]),
                ("POST", "markets/assef/removals/\(provider)/decision", [:], [401, 403, 403, 403, 422, 422]),
                ("GET", "accounts/me/deletion", nil, [401, 404, 404, 404, 404, 404]),
                ("POST", "accounts/me/deletion", ["password": 5], [401, 422, 422, 422, 422, 422]),
                ("GET", "deletions/\(provider)", nil, [404, 404, 404, 404, 404, 404]),
                ("POST", "accounts/me/export", ["password": "wrong"], [401, 422, 422, 422, 422, 422]),
                // Without an issuer there is nobody to sign in with.
                ("POST", "sessions/nafath", ["market": "assef"], [404, 404, 404, 404, 404, 404]),
                ("POST", "sessions/nafath/finish", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "sessions/nafath/code", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "sessions/nafath/link", [:], [422, 422, 422, 422, 422, 422]),
                ("POST", "accounts/me/nafath", ["market": "assef"], [401, 404, 404, 404, 404, 404]),
                ("POST", "accounts/me/nafath/finish", [:], [401, 422, 422, 422, 422, 422]),
                ("GET", "sessions", nil, [401, 200, 200, 200, 200, 200]),
                (
                    "DELETE", "sessions/\(try await world.session(of: customer).text)", nil,
                    [401, 204, 404, 404, 404, 404]
                ),
                // What is done with a session that has ended is refused before anything is looked at.
                ("DELETE", "sessions/current", nil, [401, 401, 204, 204, 204, 204]),
                ("DELETE", "sessions", nil, [401, 401, 401, 401, 401, 401]),
            ]
            for (method, path, body, statuses) in expected {
                var seen: [Int] = []
                for caller in callers {
                    seen.append(try await world.send(method, "v1/\(path)", body, token: caller?.access).status)
                }
                #expect(seen == statuses, "\(method) \(path)")
            }
            for path in [".well-known/jwks.json", "openapi.yaml"] {
                #expect(try await world.send("GET", path).status == 200)
            }
            let again = try await world.admin(of: "*")
            #expect(try await world.send("GET", "v1/accounts/\(provider)", token: again.access).status == 404)
        }
    }

    @Test("I14: neither tables nor messages hold an e-mail address, a mobile number, a password or a token")
    func dump() async throws {
        try await World.run { world async throws in
            let person = Person.provider()
            let admin = try await world.admin(of: "assef")
            let tokens = try await world.join(person)
            _ = try await world.post(
                "sessions", ["login": .string(person.mobile), "password": "Wrong-password-12"])
            #expect(try await world.verify(tokens.account, by: admin).status == 200)
            let refreshed = try await world.post(
                "sessions/refresh", ["refreshToken": .string(tokens.refresh)], key: nil)
            let next = try Tokens(refreshed)
            let dump = try #require(try await world.pool.first(DumpTables())).lowercased()
            #expect(dump.contains(person.name.lowercased()))
            let secrets = [
                person.email, person.mobile, String(person.mobile.dropFirst()), person.password, tokens.refresh,
                next.refresh, tokens.access, next.access,
            ]
            for secret in secrets {
                let text = secret.lowercased()
                #expect(!dump.contains(text))
                #expect(!dump.contains(Self.hex(Data(secret.utf8))))
                #expect(!dump.contains(Self.hex(Data(text.utf8))))
            }
            for token in [tokens.refresh, next.refresh] {
                #expect(!dump.contains(Self.hex(try #require(Base64URL.decode(token)))))
            }
        }
    }

    @Test("the document describes the routes that there are, and is served")
    func document() async throws {
        try await World.run { world async throws in
            let yaml = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
            let document = try OpenAPIDocument(yaml: yaml)
            #expect(document.faults.isEmpty)
            let router = Router(context: SeraiRequestContext.self)
            IdentityRoutes.add(world.parts, to: router)
            #expect(document.operations == Set(router.routes.map(\.description)))
            let served = try await world.send("GET", "openapi.yaml")
            #expect(String(decoding: served.bytes, as: UTF8.self) == yaml)
            let keys = try await world.send("GET", ".well-known/jwks.json")
            #expect(Data(keys.bytes) == world.parts.tokens.ring.published)
            #expect(keys.headers["cache-control"] == "public, max-age=300")
            _ = try TokenKeySet(json: keys.bytes)
        }
    }

    @Test("P7: all words are there in all languages, and every problem of the service has some")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in IdentityService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let problems =
            [
                IdentityError.taken(email: true, mobile: true), .noSuchAccount, .wrongCredentials,
                .loginDelayed(seconds: 1), .sessionEnded, .ownProvider, .ownAccount,
                .adminsBan, .notConfirmed(by: "email"), .proofRefused, .wrongPassword, .nafathRefused,
                .breachedPassword(field: "password"), .nafathUnavailable, .nafathIncomplete(["mobile"]),
                .nationalIDTaken,
                .notThePassword, .loginTooOld, .otherMarkets, .removalAsked, .adminsAccount,
                .deletionRefused(DeletionObstacle.allCases.map(\.rawValue), orders: []),
                .banned(Ban(market: "*", reason: "x", until: nil)),
                .banned(Ban(market: "*", reason: "x", until: Date())), .sentJustNow, .tooManyPlaces(maximum: 5),
                .noSuchPlace, .placeChanged(version: 2), .noSuchDocument, .documentDecided(.verified),
                .papersMissing(["licence"]),
            ].map(\.problem)
            + [
                AccountError.hasRole(.active), .notAProvider, .notAnAdmin, .notBanned, .alreadyDecided(.verified),
                .providerChanged(title: "nurse", version: 2), .noSuchRole,
            ]
            .map(\.problem)
            + [LinkError.notFound, .unknownMobile, .ownMobile, .tooManyAsked, .tooMany, .exists(.asked)].map(\.problem)
            + [Link.Refusal.notWaiting(.asked).problem]
            + [FileFault.unreadable, .tooManyPixels].map(\.problem)
        for problem in problems {
            for language in [ServiceKit.Language.english, .arabic] {
                #expect(catalogue.keys(language).contains("problem.\(problem.slug).title"), "\(problem.slug)")
                for field in problem.fields { #expect(catalogue.keys(language).contains("field.\(field.code)")) }
            }
        }
    }

    static func hex(_ data: Data) -> String {
        data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

struct CountRows: Statement {
    static let sql: StaticString = """
        SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM login_failures), (SELECT count(*) FROM accounts)
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (sessions: Int, failures: Int, accounts: Int) {
        (try row.next(), try row.next(), try row.next())
    }
}

/// Every row of every table of the schema as text; bytes as hexadecimal digits. `<`, `>` and `&` are as XML writes them.
struct DumpTables: Statement {
    static let sql: StaticString = """
        SELECT string_agg(query_to_xml(format('SELECT t::text AS line FROM %I t', tablename), true, true, '')::text, ' ')
        FROM pg_tables WHERE schemaname = current_schema()
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
