import Foundation
import HTTPTypes
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Passwords, keys and ciphers", .timeLimit(.minutes(15)))
struct SecurityTests {
    @Test("I3: passwords are argon2id with 19 MiB, 2 passes and 1 lane, each with a salt of its own")
    func argon2() async throws {
        let hasher = try PasswordHasher(threadCount: 2, limit: 8)
        defer { hasher.stop() }
        let first = try await hasher.hash(Redacted("Pass-word-12"))
        let second = try await hasher.hash(Redacted("Pass-word-12"))
        #expect(first.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(first != second)
        #expect(try await hasher.verify(Redacted("Pass-word-12"), against: first))
        #expect(try await !hasher.verify(Redacted("Pass-word-13"), against: first))
        #expect(try await !hasher.verify(Redacted("Pass-word-12"), against: nil))
        #expect(hasher.computed == 5)
        #expect(hasher.pending == 0)
    }

    @Test("I3: the same password typed on another keyboard is the same")
    func normalization() async throws {
        let hasher = try PasswordHasher(threadCount: 1, limit: 8)
        defer { hasher.stop() }
        let hash = try await hasher.hash(Redacted("Rene\u{301}-pass-12"))
        #expect(try await hasher.verify(Redacted("Ren\u{e9}-pass-12"), against: hash))
    }

    @Test("I3: what waits for the hashing threads is limited; what comes on top is refused at once")
    func bounded() async throws {
        let hasher = try PasswordHasher(threadCount: 1, limit: 3)
        defer { hasher.stop() }
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await hasher.hash(Redacted("Pass-word-12"))
                        return true
                    } catch {
                        #expect(error is PasswordHasher.Busy)
                        return false
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains(true))
        #expect(outcomes.contains(false))
        #expect(hasher.pending == 0)
        #expect(hasher.computed == outcomes.count { $0 })
        #expect(PasswordHasher.Busy().problem.status == .serviceUnavailable)
    }

    @Test("I3: a hash whose caller has gone is not computed")
    func cancelled() async throws {
        let hasher = try PasswordHasher(threadCount: 1, limit: 3)
        defer { hasher.stop() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await hasher.hash(Redacted("Pass-word-12"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hasher.computed == 0)
        #expect(hasher.pending == 0)
    }

    @Test("I14: a sealed value opens with its key, field and account only")
    func cipher() throws {
        let keys = PersonalDataKeys.generate(id: "one")
        let cipher = try PersonalDataCipher(keys)
        let account = UUID.timeOrdered()
        let sealed = try cipher.seal("noura@example.com", .email, of: account)
        #expect(try cipher.open(sealed, .email, of: account) == "noura@example.com")
        #expect(throws: (any Error).self) { try cipher.open(sealed, .mobile, of: account) }
        #expect(throws: (any Error).self) { try cipher.open(sealed, .email, of: .timeOrdered()) }
        #expect(throws: (any Error).self) { try cipher.open([], .email, of: account) }
        #expect(try cipher.seal("noura@example.com", .email, of: account) != sealed)
        let other = try PersonalDataCipher(.generate(id: "two"))
        #expect(throws: PersonalDataCipher.Fault.unknownKey(id: "one")) { try other.open(sealed, .email, of: account) }
        #expect(cipher.hash("x", for: .email) != cipher.hash("x", for: .mobile))
        #expect(cipher.hash("x", for: .email) != other.hash("x", for: .email))
    }

    @Test("I14: after a change of keys old values are read with the old one and new ones sealed with the new")
    func rotation() throws {
        let old = PersonalDataKeys.generate(id: "one")
        let fresh = PersonalDataKeys.generate(id: "two")
        let both = PersonalDataKeys(
            current: "two", keys: old.keys.merging(fresh.keys) { $1 }, lookup: old.lookup)
        let account = UUID.timeOrdered()
        let sealed = try PersonalDataCipher(old).seal("text", .email, of: account)
        let cipher = try PersonalDataCipher(both)
        #expect(try cipher.open(sealed, .email, of: account) == "text")
        #expect(try cipher.seal("text", .email, of: account).starts(with: [3] + Array("two".utf8)))
        #expect(cipher.hash("x", for: .email) == (try PersonalDataCipher(old).hash("x", for: .email)))
    }

    @Test("I14: keys that are none are refused")
    func badKeys() throws {
        #expect(throws: PersonalDataKeys.Fault.unreadable) { try PersonalDataKeys(json: Data("{}".utf8)) }
        let good = PersonalDataKeys.generate(id: "one")
        #expect(throws: PersonalDataKeys.Fault.noCurrentKey) {
            try PersonalDataCipher(PersonalDataKeys(current: "two", keys: good.keys, lookup: good.lookup))
        }
        #expect(throws: PersonalDataKeys.Fault.badKey(id: "one")) {
            try PersonalDataCipher(PersonalDataKeys(current: "one", keys: ["one": "c2hvcnQ="], lookup: good.lookup))
        }
    }

    @Test("I15: the successor of a refresh token can be had with the token only")
    func successor() throws {
        let token = RefreshToken.generate()
        let next = RefreshToken.generate()
        let sealed = try token.seal(successor: next)
        #expect(try token.open(successor: sealed) == next)
        #expect(RefreshToken(text: token.text) == token)
        #expect(throws: (any Error).self) { try next.open(successor: sealed) }
        for text in ["", "short", String(repeating: "A", count: 44), String(repeating: "=", count: 43)] {
            #expect(RefreshToken(text: text) == nil)
        }
    }

    @Test("a made password keeps the rule")
    func madePasswords() { for _ in 0..<50 { #expect(PasswordRule.accepts(PasswordMaker.make())) } }
}
