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

@Suite("Job titles that an admin reads", .timeLimit(.minutes(15)))
struct TitleQuestionTests {
    private func questions(_ world: World, _ admin: Tokens) async throws -> [JSONValue] {
        try await world.send("GET", "v1/markets/assef/title-questions", token: admin.access).items
    }

    private func decide(
        _ world: World, _ account: UUID, _ body: JSONValue, by admin: Tokens
    ) async throws -> Answer {
        try await world.post("markets/assef/title-questions/\(account.text)/decision", body, token: admin.access)
    }

    @Test(
        "I5: an unknown medical title goes to an admin, who finds a title for it; the person is told, and a provider then"
    )
    func found() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            _ = nafath.add("tech", jobTitle: "Nursing assistant")
            let signedIn = try await nafath.signIn("tech")
            let tokens = try Tokens(signedIn)
            #expect(nafath.roles(signedIn).map { $0["role"] } == ["customer"])
            let told = try await world.events(TitleQuestioned.self)
            #expect(told.map(\.account) == [tokens.account] && told.map(\.isDeclined) == [false])
            // Asked once, however often the person signs in.
            _ = try await nafath.signIn("tech")
            #expect(try await world.events(TitleQuestioned.self).count == 1)
            let open = try await questions(world, admin)
            #expect(open.map { $0["jobTitle"] } == ["Nursing assistant"])
            #expect(open.first?["account"] == .string(tokens.account.text))
            let foreign = try await world.foreignAdmin()
            #expect(try await decide(world, tokens.account, ["decision": "none"], by: foreign).status == 403)
            let wrong = try await decide(world, tokens.account, ["decision": "title", "title": "wizard"], by: admin)
            #expect(wrong.fields == ["/title": "not-a-choice"])
            let yes = try await decide(world, tokens.account, ["decision": "title", "title": "nurse"], by: admin)
            #expect(yes.status == 204, "\(yes)")
            #expect(try await questions(world, admin).isEmpty)
            let roles = try await world.events(AccountChanged.self).last?.account.roles
            #expect(roles?.contains { $0.role == "provider" && $0.title == "nurse" && $0.verified } == true)
            #expect(try await decide(world, tokens.account, ["decision": "none"], by: admin).status == 404)
        }
    }

    @Test("I5: none of the titles is told to the person too, and asked again for other words alone")
    func declined() async throws {
        try await NafathWorld.run { nafath async throws in
            let world = nafath.world
            let admin = try await world.admin(of: "assef")
            var person = nafath.add("tech", jobTitle: "صيدلي")
            let account = try Tokens(try await nafath.signIn("tech")).account
            #expect(try await decide(world, account, ["decision": "none"], by: admin).status == 204)
            #expect(try await world.events(TitleQuestioned.self).map(\.isDeclined) == [false, true])
            #expect(try await world.events(AccountManaged.self).map(\.act) == [.titleDeclined])
            _ = try await nafath.signIn("tech")
            #expect(try await questions(world, admin).isEmpty)
            person.jobTitle = "فني مختبر"
            nafath.issuer.add(person, as: "tech")
            _ = try await nafath.signIn("tech")
            #expect(try await questions(world, admin).map { $0["jobTitle"] } == ["فني مختبر"])
            // Whoever is no medical worker is a customer without a question.
            _ = nafath.add("clerk", jobTitle: "محاسب")
            _ = try await nafath.signIn("clerk")
            #expect(try await questions(world, admin).count == 1)
        }
    }
}
