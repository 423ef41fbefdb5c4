import Crypto
import Foundation
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Breached passwords and old hashes", .timeLimit(.minutes(15)))
struct PasswordListTests {
    /// Gives `body` a list with these passwords among others.
    private func withList<R>(
        _ passwords: [String], others: Int = 500, digits: Int = 40, lineEnd: String = "\r\n",
        _ body: (URL) async throws -> R
    ) async throws -> R {
        let all = passwords + (0..<others).map { "Other-password-\($0)" }
        let lines = all.map {
            Insecure.SHA1.hash(data: Data($0.utf8)).map { byte in
                String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }.joined().prefix(digits)
        }.sorted()
        let text = lines.enumerated().map { "\($1):\($0 * $0)" }.joined(separator: lineEnd)
        let file = FileManager.default.temporaryDirectory.appending(path: "breached-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        return try await body(file)
    }

    @Test("I3: a list of breached passwords is searched in the file: all that are in it are found, nothing else is")
    func search() async throws {
        let known = ["Password-12", "Qwerty-1234", "Ren\u{e9}-pass-12"]
        for (others, end) in [(0, "\n"), (1, "\r\n"), (2_000, "\r\n"), (777, "\n")] {
            try await withList(known, others: others, lineEnd: end) { file in
                let list = try BreachedPasswords(path: file.path(percentEncoded: false))
                for password in known { #expect(try list.contains(password), "\(password)") }
                #expect(try list.contains("Rene\u{301}-pass-12"))
                for index in 0..<others { #expect(try list.contains("Other-password-\(index)")) }
                for index in 0..<200 { #expect(try !list.contains("Unknown-password-\(index)")) }
            }
        }
    }

    @Test("I3: a list may hold beginnings of hashes")
    func prefixes() async throws {
        try await withList(["Password-12"], digits: 12) { file in
            let list = try BreachedPasswords(path: file.path(percentEncoded: false))
            #expect(try list.contains("Password-12"))
            for index in 0..<200 { #expect(try !list.contains("Unknown-password-\(index)")) }
        }
    }

    @Test("I3: what is no list is refused at the start")
    func noList() async throws {
        #expect(throws: BreachedPasswords.Fault.self) { try BreachedPasswords(path: "/nowhere/at/all") }
        for text in ["", "password\n", "0123\n", String(repeating: "A", count: 500)] {
            let file = FileManager.default.temporaryDirectory.appending(path: "breached-\(UUID().uuidString)")
            try Data(text.utf8).write(to: file)
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
            #expect(throws: BreachedPasswords.Fault.self, "\(text.prefix(20))") {
                try BreachedPasswords(path: file.path(percentEncoded: false))
            }
        }
    }

    @Test("I3: a breached password cannot be chosen, and logs in whoever has it already")
    func refused() async throws {
        try await withList(["Serai-2026-breached"]) { file in
            let setting = ["SERAI_IDENTITY_PASSWORD_BREACHED_FILE": file.path(percentEncoded: false)]
            try await World.run(setting) { world async throws in
                var person = Person()
                let good = person.password
                person.password = "Serai-2026-breached"
                let answer = try await world.post("accounts", person.json)
                #expect(answer.status == 422)
                #expect(answer.fields == ["/password": "breached-password"])
                person.password = good
                let tokens = try await world.join(person)
                let changed = try await world.post(
                    "accounts/me/password", ["oldPassword": .string(good), "newPassword": "Serai-2026-breached"],
                    token: tokens.access)
                #expect(changed.fields == ["/newPassword": "breached-password"])
                let hash = try await world.parts.hasher.hash(Redacted("Serai-2026-breached"))
                try await world.pool.execute(PutPassword(account: tokens.account, hash: hash, now: world.clock.now))
                person.password = "Serai-2026-breached"
                #expect(try await world.logIn(person).account == tokens.account)
            }
        }
    }

    @Test("I3: a hash of other parameters is made anew at the login, of many at once too; the password is no younger")
    func renewed() async throws {
        try await World.run { world async throws in
            let person = Person()
            let account = try await world.register(person)
            let old = try OldHash.make(person.password)
            #expect(!world.parts.hasher.isCurrent(old))
            let before = world.clock.now - 86_400
            try await world.pool.execute(PutPassword(account: account, hash: old, now: before))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await world.post(
                            "sessions", ["login": .string(person.email), "password": .string(person.password)]
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [201, 201, 201, 201])
            let stored = try #require(try await world.pool.first(FindOwnPassword(account: account)))
            #expect(world.parts.hasher.isCurrent(stored))
            let standing = try #require(try await world.pool.first(FindStanding(account: account)))
            #expect(abs(try #require(standing.passwordChangedAt).timeIntervalSince(before)) < 1)
            let hashes = world.parts.hasher.computed
            _ = try await world.logIn(person)
            #expect(world.parts.hasher.computed == hashes + 1)
        }
    }
}

enum OldHash {
    /// With one pass, as a version before might have made it.
    static func make(_ password: String) throws -> String {
        try Argon2id(memoryKiB: Argon2id.owasp.memoryKiB, passes: 1).hash(
            Array(password.utf8), salt: Array(repeating: 7, count: Argon2id.saltBytes))
    }
}
