import Contracts
import Foundation
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiIdentity

@Suite("Sign-ins with Nafath that are refused", .timeLimit(.minutes(15)))
struct NafathGuardTests {
    @Test(
        "I5: an ID token that is wrong in any way is refused, and leaves no account",
        arguments: [
            IssuerFault.wrongNonce, .wrongIssuer, .wrongAudience, .foreignParty, .wrongSignature, .expired,
            .notYetValid,
            .noAlgorithm, .symmetric, .critical, .unknownKey, .hugeToken, .repeatedClaim, .noToken,
        ])
    func tokens(fault: IssuerFault) async throws {
        try await NafathWorld.run { nafath async throws in
            nafath.issuer.fault = fault
            let answer = try await nafath.signIn("noura")
            #expect(answer.status == 422, "\(answer)")
            #expect(answer.slug == "nafath-refused")
            #expect(try await nafath.world.events(AccountRegistered.self).isEmpty)
            nafath.issuer.fault = nil
            #expect(try await nafath.signIn("noura").status == 201)
        }
    }

    @Test(
        "I5: a provider that is away, redirects, talks too much or does not know us is a 503, asked once",
        arguments: [IssuerFault.down, .redirect, .hugeAnswer, .noJSON, .wrongClient])
    func answers(fault: IssuerFault) async throws {
        try await NafathWorld.run { nafath async throws in
            nafath.issuer.fault = fault
            let answer = try await nafath.signIn("noura")
            #expect(answer.status == 503, "\(answer)")
            #expect(answer.slug == "nafath-unavailable")
            #expect(answer.headers["retry-after"] != nil)
            #expect(nafath.issuer.counts.tokens == 1)
        }
    }

    @Test("I5: a document that names another issuer is not believed, and nobody is sent anywhere")
    func document() async throws {
        try await NafathWorld.run { nafath async throws in
            nafath.issuer.fault = .otherIssuer
            let answer = try await nafath.world.post("sessions/nafath", ["market": "assef"], key: nil)
            #expect(answer.slug == "nafath-unavailable")
        }
    }

    @Test("I5: a link with somebody else's code logs nobody in: only the app that began can finish")
    func loginCSRF() async throws {
        try await NafathWorld.run { nafath async throws in
            let attacker = try await nafath.begin()
            let victim = try await nafath.begin()
            let code = try await nafath.code("khalid", attacker)
            // The victim's browser opens the attacker's way back; its app has its own secret, or none.
            #expect(try await nafath.finish(attacker, code: code, secret: victim.secret).slug == "nafath-refused")
            #expect(try await nafath.finish(victim, code: code).slug == "nafath-refused")
            let none = try await nafath.world.post(
                "sessions/nafath/finish", ["state": .string(attacker.state), "code": .string(code)])
            #expect(none.fields == ["/secret": "required"])
            #expect(try await nafath.world.events(AccountRegistered.self).isEmpty)
        }
    }

    @Test("I5: a code is good once and for ten minutes; the same app with the same Idempotency-Key is answered again")
    func replays() async throws {
        try await NafathWorld.run { nafath async throws in
            let begun = try await nafath.begin()
            let code = try await nafath.code("noura", begun)
            let key = UUID().uuidString
            let first = try await nafath.finish(begun, code: code, key: key)
            #expect(first.status == 201)
            #expect(try await nafath.finish(begun, code: code).slug == "nafath-refused")
            #expect(try await nafath.finish(begun, code: code, key: key).bytes == first.bytes)
            let other = try await nafath.begin()
            // Neither the code nor the key alone is worth anything.
            #expect(try await nafath.finish(begun, code: code, secret: other.secret, key: key).slug == "nafath-refused")
            #expect(try await nafath.finish(other, code: code).slug == "nafath-refused")
            let late = try await nafath.begin()
            nafath.world.clock.advance(by: .seconds(601))
            let fresh = try await nafath.code("noura", late)
            #expect(try await nafath.finish(late, code: fresh).slug == "nafath-refused")
        }
    }

    @Test("I5: of many who finish the same sign-in at once one gets a session")
    func atOnce() async throws {
        try await NafathWorld.run { nafath async throws in
            let begun = try await nafath.begin()
            let code = try await nafath.code("noura", begun)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { try await nafath.finish(begun, code: code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 422, 422, 422, 422, 422])
            #expect(nafath.issuer.counts.tokens == 1)
        }
    }

    @Test("I5: a new key of the issuer's is known at once; invented key ids do not make it be asked again and again")
    func rotation() async throws {
        try await NafathWorld.run { nafath async throws in
            #expect(try await nafath.signIn("noura").status == 201)
            #expect(try await nafath.signIn("fahad").status == 201)
            #expect(nafath.issuer.counts.keySets == 1)
            #expect(nafath.issuer.counts.documents == 1)
            nafath.issuer.rotateKey(keepsOld: false)
            #expect(try await nafath.signIn("noura").status == 201)
            #expect(nafath.issuer.counts.keySets == 2)
            nafath.issuer.fault = .unknownKey
            for _ in 0..<3 { #expect(try await nafath.signIn("noura").slug == "nafath-refused") }
            #expect(nafath.issuer.counts.keySets == 2)
            nafath.issuer.fault = nil
            #expect(try await nafath.signIn("noura").status == 201)
        }
    }

    @Test("I5: another client secret, redirect or verifier than the one of the sign-in gets nothing of the issuer")
    func sandboxIsStrict() async throws {
        try await NafathWorld.run { nafath async throws in
            let begun = try await nafath.begin()
            #expect(begun.url.contains("code_challenge_method=S256"))
            #expect(!begun.url.contains(begun.secret))
            let secret = try #require(OpenIDSecret(text: begun.secret))
            #expect(!begun.url.contains(secret.verifier))
            let code = try await nafath.code("noura", begun)
            #expect(nafath.issuer.redeem(code: code, redirect: NafathWorld.redirect, verifier: "another") == nil)
            // It is used up by the try.
            #expect(try await nafath.finish(begun, code: code).slug == "nafath-refused")
        }
    }

    @Test("I5: without an issuer there is no such way in; an issuer without its client does not start")
    func configuration() async throws {
        try await World.run { world async throws in
            let answer = try await world.post("sessions/nafath", ["market": "assef"], key: nil)
            #expect(answer.status == 404)
            #expect(Market.assef.signIn == [.nafath])
        }
        try await World.withKeys { keys async throws in
            let half = try World.bootstrap(
                database: "postgres://x", keys: keys, ["SERAI_NAFATH_ISSUER": "https://nafath.example"])
            #expect(throws: OpenIDConfiguration.Incomplete.self) {
                try OpenIDConfiguration.settings(half.configuration)
            }
            for wrong in [
                "http://nafath.example", "nafath.example", "https://nafath.example/", "https://u:p@x.example",
            ] {
                #expect(throws: ConfigurationError.self, "\(wrong)") {
                    try World.bootstrap(database: "postgres://x", keys: keys, ["SERAI_NAFATH_ISSUER": wrong])
                }
            }
        }
    }
}
