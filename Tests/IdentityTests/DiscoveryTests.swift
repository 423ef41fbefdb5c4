import Foundation
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What gateways find", .timeLimit(.minutes(15)))
struct DiscoveryTests {
    @Test("X9: a gateway finds the keys by the metadata, and tokens say what they are and which one")
    func metadata() async throws {
        try await World.run { world async throws in
            for name in ["openid-configuration", "oauth-authorization-server"] {
                let answer = try await world.send("GET", ".well-known/\(name)")
                #expect(answer.status == 200)
                #expect(answer["issuer"] == world.parts.tokens.issuer)
                #expect(answer["jwks_uri"] == "\(world.parts.webURL)/identity/.well-known/jwks.json")
            }
            #expect(try await world.send("GET", ".well-known/jwks.json").status == 200)
            let person = Person()
            let first = try await world.join(person)
            let second = try await world.logIn(person)
            func part(_ token: String, _ index: Int) throws -> JSONValue {
                let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[index])))
                return try JSONValue(parsing: bytes)
            }
            #expect(try part(first.access, 0)["typ"] == "at+jwt")
            let ids = try [first, second].map { try part($0.access, 1)["jti"] }
            #expect(ids[0] != nil && ids[0] != ids[1])
        }
    }
}
