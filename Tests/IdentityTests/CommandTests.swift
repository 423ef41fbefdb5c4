import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Commands and the start", .timeLimit(.minutes(15)))
struct CommandTests {
    @Test("create-keys makes what is missing, readable by its owner only, and overwrites nothing")
    func createKeys() async throws {
        try await World.withKeys { directory in
            func contents(_ name: String) throws -> Data { try Data(contentsOf: directory.appending(path: name)) }
            let names = [CreateKeys.signingKeyFile, CreateKeys.keySetFile, CreateKeys.personalDataKeysFile]
            let before = try names.map(contents)
            let again = try await CreateKeys(directory: directory)(keyID: "later")
            #expect(again == CreateKeys.Outcome(created: [], kept: names))
            #expect(try names.map(contents) == before)
            for name in [CreateKeys.signingKeyFile, CreateKeys.personalDataKeysFile] {
                let path = directory.appending(path: name).path(percentEncoded: false)
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            // The public half follows from the private key that is there.
            try FileManager.default.removeItem(at: directory.appending(path: CreateKeys.keySetFile))
            #expect(try await CreateKeys(directory: directory)(keyID: "later").created == [CreateKeys.keySetFile])
            #expect(try names.map(contents) == before)
            #expect(try TokenKeySet(json: before[1]).keyIDs == [try TokenSigningKey(json: before[0]).id])
            #expect(throws: TokenKeySet.LoadError.self) {
                try TokenKeySet(json: Data("{\"keys\":[".utf8) + before[0] + Data("]}".utf8))
            }
        }
    }

    @Test("the service does not start when the published keys do not accept its tokens")
    func foreignKeys() async throws {
        try await World.withKeys { ours in
            try await World.withKeys { theirs in
                let path = theirs.appending(path: CreateKeys.keySetFile).path(percentEncoded: false)
                let bootstrap = try World.bootstrap(
                    database: "postgresql://u@127.0.0.1:1/none", keys: ours, ["SERAI_TOKENS_KEYS_FILE": path])
                await #expect(throws: AccessTokens.WrongKeys.self) {
                    _ = try await IdentityService.compose(bootstrap)
                }
            }
        }
    }

    @Test("I13, P9: create-admin makes the first master admin, who can log in and is told of")
    func createAdmin() async throws {
        try await World.run { world async throws in
            let tokens = try await world.admin(of: "*")
            let caller = try await world.bootstrap.tokenVerifier().verify(tokens.access)
            #expect(caller.has("admin", in: "assef"))
            let roles = try await world.events(AccountRegistered.self).map(\.account.roles)
            #expect(roles == [[.init(market: "*", role: "admin", verified: true)]])
            #expect(try await world.events(AdminChanged.self).map(\.market) == ["*"])
        }
    }

    @Test("I13, P9: create-admin grants the role to an account that is named, once, and to no other")
    func grantAdmin() async throws {
        try await World.run { world async throws in
            let person = Person()
            let account = try await world.register(person)
            let create = CreateAdmin(pool: world.pool, register: world.parts.register)
            func run(_ person: Person, grantingTo existing: UUID? = nil) async throws -> CreateAdmin.Outcome {
                let form = try CreateAdminCommand.form(
                    name: person.name, email: person.email, mobile: person.mobile, password: "Other-pass-99",
                    market: "assef")
                return try await create(
                    form.registration, passwordHash: "unused", grantingTo: existing, at: world.clock.now)
            }
            // Whoever registers first with an operator's address and number must not be made an admin for it.
            await #expect(throws: IdentityError.taken(email: true, mobile: true)) { _ = try await run(person) }
            await #expect(throws: IdentityError.taken(email: true, mobile: true)) {
                _ = try await run(person, grantingTo: UUID())
            }
            #expect(try await run(person, grantingTo: account) == .granted(account: account))
            #expect(try await run(person) == .alreadyAdmin(account: account))
            let granted = try await world.events(AdminChanged.self)
            #expect(granted.map(\.account) == [account] && granted.map(\.market) == ["assef"])
            #expect(granted.first?.isAdmin == true && granted.first?.by == nil)
            var thief = person
            thief.mobile = Person().mobile
            await #expect(throws: IdentityError.taken(email: true, mobile: false)) { _ = try await run(thief) }
            let tokens = try await world.logIn(person)
            let caller = try await world.bootstrap.tokenVerifier().verify(tokens.access)
            #expect(caller.has("admin", in: "assef"))
            #expect(!caller.has("admin", in: "hajji"))
        }
    }

    @Test("I14: keys of personal data are in a file or in the environment, and without any nothing starts")
    func personalKeys() async throws {
        try await World.withKeys { keys in
            let file = keys.appending(path: CreateKeys.personalDataKeysFile)
            let json = try String(contentsOf: file, encoding: .utf8)
            func cipher(_ environment: [String: String]) throws -> PersonalDataCipher {
                let bootstrap = try World.bootstrap(database: "postgres://x@127.0.0.1:1/x", keys: keys, environment)
                return try IdentityConfiguration.personalDataCipher(bootstrap.configuration)
            }
            let id = UUID()
            let sealed = try cipher([:]).seal("+966500000001", .mobile, of: id)
            // The file that is named is not there: the environment goes before it.
            let inline = try cipher([
                "SERAI_IDENTITY_PERSONAL_KEYS": json, "SERAI_IDENTITY_PERSONAL_KEY_FILE": "/nowhere",
            ])
            #expect(try inline.open(sealed, .mobile, of: id) == "+966500000001")
            #expect(throws: (any Error).self) { try cipher(["SERAI_IDENTITY_PERSONAL_KEY_FILE": "/nowhere"]) }
            let neither = try ServiceConfiguration(
                keys: IdentityConfiguration.personal, arguments: [], environment: [:])
            #expect(throws: IdentityConfiguration.NoPersonalKeys.self) {
                try IdentityConfiguration.personalDataCipher(neither)
            }
        }
    }

    @Test("create-admin checks its input as a registration does")
    func adminInput() throws {
        let error = #expect(throws: Problem.self) {
            try CreateAdminCommand.form(name: "", email: "x", mobile: "y", password: "z", market: "*")
        }
        #expect(error?.fields.map(\.code) == ["required", "not-an-email", "not-a-phone-number", "password-rules"])
    }

    @Test("the service owns the schema of its name, and its components run in all stages")
    func components() async throws {
        try await World.run { world async throws in
            #expect(IdentityService.name == "identity")
            #expect(
                Set(world.assembly.components.map(\.name)) == [
                    "database", "ended sessions", "token keys", "markets", "password threads", "identity provider",
                    "signing keys", "publisher", "relay", "consumer", "http", "accounts deadlines",
                    "shared places deadlines", "shared places", "groups", "bans deadlines", "documents deadlines",
                    "links deadlines", "deletion deadlines",
                    "idempotency purge", "late deadlines", "purge",
                    "inactive accounts", "login reminders", "dead messages", "retelling", "terms",
                ])
        }
    }
}
