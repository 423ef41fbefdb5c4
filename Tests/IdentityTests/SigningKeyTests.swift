import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Rotation of signing keys", .timeLimit(.minutes(15)))
struct SigningKeyTests {
    @Test("I15: a key is known before it signs; what the old one signed is good as long as it lives")
    func overlap() async throws {
        try await World.withKeys { directory in
            try await World.run(keys: directory) { world async throws in
                let person = Person()
                let old = try await world.join(person)
                let oldID = try keyID(of: old.access)
                let rotate = RotateSigningKey(directory: directory)
                let outcome = try rotate(after: 600, at: world.clock.now)
                guard case .added(let id, let from) = outcome else { throw NotAdded() }
                #expect(try rotate(after: 600, at: world.clock.now) == .pending(id: id, from: from))
                let ring = world.parts.tokens.ring
                let reload = try world.reload(directory)
                _ = try await reload.reload(nil)
                // Both are published, the old one signs.
                let served = try await world.send("GET", ".well-known/jwks.json")
                #expect(try TokenKeySet(json: served.bytes).keyIDs == [oldID, id])
                #expect(try keyID(of: try await world.logIn(person).access) == oldID)
                let verifier = try await world.bootstrap.tokenVerifier()
                #expect(try await verifier.verify(old.access).accountID == old.account)
                // Now the new one signs.
                world.clock.advance(by: .seconds(601))
                let refreshed = try await world.post(
                    "sessions/refresh", ["refreshToken": .string(old.refresh)], key: nil)
                let new = try Tokens(refreshed)
                #expect(try keyID(of: new.access) == id)
                #expect(try await verifier.verify(new.access, now: world.clock.now).accountID == old.account)
                #expect(try await verifier.verify(old.access).accountID == old.account)
                // The next rotation but one drops the first key, whose tokens have expired.
                world.clock.advance(by: .seconds(3_700))
                guard case .added(let third, _) = try rotate(after: 0, at: world.clock.now) else { throw NotAdded() }
                _ = try await reload.reload(nil)
                #expect(try TokenKeySet(json: ring.published).keyIDs == [id, third])
                await #expect(throws: TokenVerifier.Refusal.unknownKey) {
                    try await world.bootstrap.tokenVerifier().verify(old.access)
                }
                for name in [CreateKeys.signingKeyFile] {
                    let path = directory.appending(path: name).path(percentEncoded: false)
                    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                    #expect(mode == 0o600)
                }
            }
        }
    }

    @Test("files that cannot be read, or do not belong together, leave the keys as they are")
    func broken() async throws {
        try await World.withKeys { directory in
            try await World.run(keys: directory) { world async throws in
                let published = world.parts.tokens.ring.published
                let reload = try world.reload(directory)
                let signing = directory.appending(path: CreateKeys.signingKeyFile)
                try TokenSigningKey.generate().json.write(to: signing)
                await #expect(throws: AccessTokens.WrongKeys.self) { _ = try await reload.reload(nil) }
                try Data("{\"keys\":[]}".utf8).write(to: signing)
                await #expect(throws: TokenSigningKey.Fault.unreadable) { _ = try await reload.reload(nil) }
                #expect(world.parts.tokens.ring.published == published)
                let tokens = try await world.join(Person())
                #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 200)
            }
        }
    }

    @Test("I15: a key is published where services read it, and is not used before that")
    func elsewhere() async throws {
        try await World.withKeys { directory in
            let folder = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().text)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
            let published = folder.appending(path: CreateKeys.keySetFile)
            let beside = directory.appending(path: CreateKeys.keySetFile)
            try FileManager.default.copyItem(at: beside, to: published)
            let before = try Data(contentsOf: published)
            let settings = ["SERAI_TOKENS_KEYS_FILE": published.path(percentEncoded: false)]
            try await World.run(settings, keys: directory) { world async throws in
                let rotate = RotateSigningKey(directory: directory, published: published)
                guard case .added(let id, _) = try rotate(after: 0, at: world.clock.now) else { throw NotAdded() }
                let after = try Data(contentsOf: published)
                #expect(try TokenKeySet(json: after).keyIDs.contains(id))
                #expect(try Data(contentsOf: beside) == after)
                world.clock.advance(by: .seconds(2))
                let reload = try world.reload(directory)
                // Services have the old set still: the old key signs.
                try before.write(to: published)
                _ = try await reload.reload(nil)
                let person = Person()
                let old = try await world.join(person)
                #expect(try keyID(of: old.access) != id)
                try after.write(to: published)
                _ = try await reload.reload(nil)
                #expect(try keyID(of: try await world.logIn(person).access) == id)
            }
        }
    }

    @Test(
        "X9, I15: a deployment signs by ES256 or RS256 where its gateways know no EdDSA, and changes without a break",
        arguments: TokenSigningKey.Algorithm.allCases)
    func algorithm(_ algorithm: TokenSigningKey.Algorithm) async throws {
        try await World.withKeys { directory in
            try await World.run(keys: directory) { world async throws in
                let person = Person()
                let old = try await world.join(person)
                let rotate = RotateSigningKey(directory: directory, algorithm: algorithm)
                guard case .added(let id, _) = try rotate(after: 600, at: world.clock.now) else { throw NotAdded() }
                let reload = try world.reload(directory)
                _ = try await reload.reload(nil)
                world.clock.advance(by: .seconds(601))
                let new = try await world.logIn(person)
                #expect(try keyID(of: new.access) == id)
                let header = try JSONValue(
                    parsing: try #require(Base64URL.decode(String(new.access.prefix { $0 != "." }))))
                #expect(header["alg"] == .string(algorithm.rawValue) && header["typ"] == "at+jwt")
                // Both are taken, by the set that everybody is given.
                let verifier = try await world.bootstrap.tokenVerifier()
                #expect(try await verifier.verify(new.access, now: world.clock.now).accountID == new.account)
                #expect(try await verifier.verify(old.access).accountID == old.account)
                let metadata = try await world.send("GET", ".well-known/openid-configuration")
                guard case .array(let names)? = metadata.json?["id_token_signing_alg_values_supported"] else {
                    throw NotAdded()
                }
                #expect(names.contains("EdDSA") && names.contains(.string(algorithm.rawValue)))
                let served = try await world.send("GET", ".well-known/jwks.json")
                #expect(try TokenKeySet(json: served.bytes).keyIDs.contains(id))
                for secret in ["\"d\"", "\"der\"", "\"p\""] {
                    #expect(!String(decoding: served.bytes, as: UTF8.self).contains(secret), "\(secret)")
                }
                // The next key is of the same kind, where nothing else is said.
                world.clock.advance(by: .seconds(10))
                guard
                    case .added(let third, _) = try RotateSigningKey(directory: directory)(
                        after: 0, at: world.clock.now)
                else { throw NotAdded() }
                let file = try Data(contentsOf: directory.appending(path: CreateKeys.signingKeyFile))
                let keys = try TokenSigningKeys(json: file)
                #expect(keys.newest.key.id == third && keys.newest.key.algorithm == algorithm)
            }
        }
    }

    @Test(
        "I15: a deployment's first key is of the algorithm that is asked for, and reads as it was written",
        arguments: TokenSigningKey.Algorithm.allCases)
    func first(_ algorithm: TokenSigningKey.Algorithm) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().text)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        _ = try await CreateKeys(directory: folder, algorithm: algorithm)(keyID: "test")
        let key = try TokenSigningKey(json: try Data(contentsOf: folder.appending(path: CreateKeys.signingKeyFile)))
        #expect(key.algorithm == algorithm)
        let published = try TokenKeySet(json: try Data(contentsOf: folder.appending(path: CreateKeys.keySetFile)))
        #expect(published.keyIDs == [key.id] && published.algorithms == [algorithm.rawValue])
        let written = try key.json
        #expect(try TokenSigningKey(json: written).json == written)
    }

    private struct NotAdded: Error {}

    private func keyID(of token: String) throws -> String {
        let header = try #require(token.split(separator: ".").first.flatMap { Base64URL.decode(String($0)) })
        guard case .string(let id)? = try JSONValue(parsing: Array(header))["kid"] else { throw NotAdded() }
        return id
    }
}

extension World {
    func reload(_ directory: URL) throws -> SigningKeyReload {
        let configuration = bootstrap.configuration
        return SigningKeyReload(
            ring: parts.tokens.ring, signingFile: directory.appending(path: CreateKeys.signingKeyFile),
            published: { try IdentityConfiguration.keySet(configuration) }, logger: TestThreads.logger)
    }
}
