import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiIdentity

@Suite("What Nafath verifies", .timeLimit(.minutes(15)))
struct NafathVerificationTests {
    @Test("I5, I7: Nafath's title does not replace what the market asks a provider for besides")
    func missingParts() async throws {
        var onboarding = IdentityParts.onboarding("assef")
        onboarding.providerAges = ["nurse": 20]
        try await NafathWorld.run(onboarding: onboarding) { nafath async throws in
            let world = nafath.world
            func state(_ account: UUID) async throws -> Role.State? {
                try await world.parts.readProfile(account, at: world.clock.now)?.account.role(.provider, in: "assef")?
                    .state
            }
            // A new account: Nafath tells no date of birth.
            _ = nafath.add("new", jobTitle: "Nurse")
            let made = try Tokens(try await nafath.signIn("new")).account
            #expect(try await state(made) == .waiting)
            // And again, as long as it is missing; then the next sign-in verifies.
            #expect(try Tokens(try await nafath.signIn("new")).account == made)
            #expect(try await state(made) == .waiting)
            let sealed = try world.parts.cipher.seal("1990-05-17", .birthDate, of: made)
            try await world.pool.execute(SetBirthDate(account: made, sealed: sealed))
            _ = try await nafath.signIn("new")
            #expect(try await state(made) == .verified)
        }
    }

    @Test("I5, I13: without Nafath its own verification ends, and an admin's stays")
    func removedLink() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            for isByAdmin in [false, true] {
                let person = Person()
                let tokens = try await world.join(person)
                let name = "nurse-\(isByAdmin)"
                _ = nafath.add(name, jobTitle: "Nurse")
                let begun = try await nafath.begin(token: tokens.access, password: person.password)
                let code = try await nafath.code(name, begun)
                #expect(try await nafath.finish(begun, code: code, token: tokens.access).status == 204)
                func state() async throws -> Role.State? {
                    try await world.parts.readProfile(tokens.account, at: world.clock.now)?
                        .account.role(.provider, in: "assef")?.state
                }
                #expect(try await state() == .verified)
                if isByAdmin {
                    let path = "markets/assef/providers/\(tokens.account.text)/verification"
                    let no = try await world.post(
                        path, ["decision": "reject", "reason": "Which papers?"], token: admin.access)
                    #expect(no.status < 300, "\(no)")
                    #expect(try await world.verify(tokens.account, by: admin).status < 300)
                }
                let removed = try await world.post(
                    "accounts/me/nafath/removal", ["password": .string(person.password)], token: tokens.access)
                #expect(removed.status == 204, "\(removed)")
                #expect(try await state() == (isByAdmin ? .verified : .waiting))
            }
        }
    }
}
