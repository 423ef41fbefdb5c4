import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Who may do what, and what is kept", .timeLimit(.minutes(15)))
struct AccessTests {
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
            ServiceAssembly<IdentityService>.addRoutes(
                of: try IdentityService.features(world.parts), pool: world.pool, to: router)
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
                .breachedPassword(field: "password"), .samePassword(field: "password"), .nafathUnavailable,
                .nafathIncomplete(["mobile"]),
                .nationalIDTaken,
                .notThePassword, .loginTooOld, .otherMarkets, .removalAsked, .adminsAccount,
                .nafathNeeded, .marketClosed, .contactProved(.email), .onlyWayIn, .secondFactor(isThere: true),
                .deletionRefused(DeletionObstacle.allCases.map(\.rawValue), orders: []),
                .banned(Ban(market: "*", reason: "x", until: nil)),
                .banned(Ban(market: "*", reason: "x", until: Date())), .sentJustNow, .tooManyPlaces(maximum: 5),
                .noSuchPlace, .placeChanged(version: 2), .noSuchDocument, .documentDecided(.verified),
                .papersMissing(["licence"]), .personBanned,
            ].map(\.problem)
            + [
                AccountError.hasRole(.active), .notAProvider, .notAnAdmin, .notBanned, .alreadyDecided(.verified),
                .providerChanged(title: "nurse", version: 2), .noSuchRole,
            ]
            .map(\.problem)
            + [
                LinkError.notFound, .unknownMobile, .ownMobile, .unknownEmail, .ownEmail, .tooManyAsked, .tooMany,
                .exists(.asked),
            ].map(\.problem)
            + [Link.Refusal.notWaiting(.asked).problem]
            + [FileFault.unreadable, .tooManyPixels(maximumSide: 1)].map(\.problem)
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
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM login_failures), (SELECT count(*) FROM accounts)
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (sessions: Int, failures: Int, accounts: Int) {
        (try row.next(), try row.next(), try row.next())
    }
}

/// Every row of every table of the schema as text; bytes as hexadecimal digits. `<`, `>` and `&` are as XML writes them.
struct DumpTables: Statement {
    static let sql: SQL = """
        SELECT string_agg(query_to_xml(format('SELECT t::text AS line FROM %I t', tablename), true, true, '')::text, ' ')
        FROM pg_tables WHERE schemaname = current_schema()
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
