import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Keys of personal data", .timeLimit(.minutes(15)))
struct RotationTests {
    /// Somebody of whom every kind of personal data is kept.
    private func fill(_ world: World) async throws -> (person: Person, tokens: Tokens) {
        let person = Person.provider()
        try #require(try await world.post("accounts", person.asDriver).status == 201)
        let tokens = try await world.logIn(person)
        _ = try await place(world, tokens, "Summer house")
        let avatar = try await world.upload(
            "accounts/me/avatar", SampleFiles.webp, as: "image/webp", token: tokens.access)
        #expect(avatar.status == 200)
        let document = try await world.upload(
            "accounts/me/providers/assef/documents/licence", SampleFiles.pdf, as: "application/pdf",
            token: tokens.access)
        #expect(document.status == 200)
        let shared = try await world.send(
            "PUT", "v1/accounts/me/shared-place", ["latitude": 21.4225, "longitude": 39.8262, "minutes": 60],
            token: tokens.access)
        #expect(shared.status == 200)
        let recent = try await world.send(
            "PUT", "v1/accounts/me/markets/assef/recent-places",
            ["name": "A clinic", "coordinates": ["latitude": 24.7, "longitude": 46.7]], token: tokens.access)
        #expect(recent.status == 200)
        let billing = try await world.send(
            "PUT", "v1/accounts/me/markets/assef/billing-address",
            ["street": "7 Barrack Street", "city": "Perth", "postcode": "6000", "country": "AU"], token: tokens.access)
        #expect(billing.status == 200, "\(billing)")
        try await fillNafath(world, tokens.account)
        let factor = try await world.post(
            "accounts/me/second-factor", ["password": .string(person.password)], token: tokens.access)
        #expect(factor.status == 201)
        let change: JSONValue = ["email": "new.address@example.com", "password": .string(person.password)]
        #expect(try await world.post("accounts/me/email", change, token: tokens.access).status == 202)
        return (person, tokens)
    }

    /// As a sign-in would that waits for the owner's word.
    private func fillNafath(_ world: World, _ account: UUID) async throws {
        let cipher = world.parts.cipher
        try await world.pool.execute(
            InsertNationalID(
                account: account, sealed: try cipher.seal("1098765432", .nationalID, of: account), hash: [1, 2],
                now: world.clock.now, mobileHash: [5, 6]))
        try await world.pool.execute(
            PutNafathTicket(
                account: account, hash: [3, 4], market: "assef",
                claims: try cipher.seal("{\"national_id\":\"1098765432\"}", .nafath, of: account),
                expiresAt: world.clock.now + 600, now: world.clock.now))
    }

    private func place(_ world: World, _ tokens: Tokens, _ name: String) async throws -> String {
        let answer = try await world.post(
            "accounts/me/places",
            [
                "market": "assef", "label": "home", "name": .string(name), "address": "77 Hidden Lane",
                "coordinates": ["latitude": 24.71357, "longitude": 46.67531],
            ], token: tokens.access)
        try #require(answer.status == 201, "\(answer)")
        return answer["place"] ?? ""
    }

    private static func keys(_ directory: URL) -> PersonalDataKeyFile {
        PersonalDataKeyFile(url: directory.appending(path: CreateKeys.personalDataKeysFile))
    }

    @Test("I14: all personal data is sealed anew while the service runs, nothing is lost, and the old key can go")
    func rotation() async throws {
        try await World.withKeys { directory in
            let file = Self.keys(directory)
            try file.change { try $0.adding(id: "next") }
            try await World.run(keys: directory, onboarding: .rides) { world async throws in
                let (person, tokens) = try await fill(world)
                try file.change { try $0.using(id: "next") }
                let both = try PersonalDataKeys(json: try Data(contentsOf: file.url))
                let rotate = RotateKeys(pool: world.pool, cipher: try PersonalDataCipher(both))
                let counts = try await rotate()
                #expect(counts.map(\.column) == SealedColumn.all.map(\.name))
                #expect(counts.allSatisfy { $0.values > 0 })
                #expect(try await rotate().allSatisfy { $0.values == 0 })
                // The service has both keys and seals with the old one until it is restarted.
                let me = try await world.send("GET", "v1/accounts/me", token: tokens.access)
                #expect(me["email"] == person.email)
                #expect(me["birthDate"] == "1990-05-17")
                #expect(me["newEmail"] == "new.address@example.com")
                let late = try await place(world, tokens, "Written later")
                #expect(try await rotate().map(\.values).reduce(0, +) == 1)
                let only = PersonalDataKeys(
                    current: "next", keys: both.keys.filter { $0.key == "next" }, lookup: both.lookup)
                try await check(try PersonalDataCipher(only), world)
                let path = "v1/accounts/me/places/\(late)"
                #expect(try await world.send("GET", path, token: tokens.access)["name"] == "Written later")
            }
        }
    }

    /// That the cipher opens every value of every column.
    private func check(_ cipher: PersonalDataCipher, _ world: World) async throws {
        let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        for column in SealedColumn.all {
            // No value begins with this, so all are found.
            let values = try await column.find(world.pool, SealedBatch(after: least, prefix: [0], limit: 1_000))
            #expect(!values.isEmpty, "\(column.name)")
            for value in values { _ = try cipher.open(bytes: value.sealed, column.field, of: value.id) }
        }
    }

    @Test("I12: one's own data has every kind of it, or says where it is")
    func exported() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let (person, tokens) = try await fill(world)
            let answer = try await world.post(
                "accounts/me/export", ["password": .string(person.password)], token: tokens.access)
            #expect(answer.status == 200)
            let text = String(decoding: answer.bytes, as: UTF8.self)
            let mine = [
                person.email, person.mobile, "new.address@example.com", "1990-05-17", "WA 1234567", "1ABC 234",
                "1098765432", "21.4225", "accounts\\/me\\/places?market=assef", "recent-places",
                "me\\/providers\\/assef",
            ]
            for one in mine {
                #expect(text.contains(one) || text.contains(one.replacing("\\/", with: "/")), "\(one)")
            }
            #expect(answer.json?["terms"] != .array([]))
        }
    }

    @Test("I14: processes with the keys of before and of after a step work side by side, so they are restarted in turn")
    func sideBySide() async throws {
        try await World.withKeys { directory in
            let file = Self.keys(directory)
            try file.change { try $0.adding(id: "next") }
            try await World.run(keys: directory) { old async throws in
                // One that was started before `--use`, and one that was started after it.
                try file.change { try $0.using(id: "next") }
                try await World.run(keys: directory, beside: old) { new async throws in
                    #expect(old.parts.cipher.currentPrefix != new.parts.cipher.currentPrefix)
                    for (writer, reader) in [(old, new), (new, old)] {
                        let person = Person()
                        try await writer.register(person)
                        let tokens = try await reader.logIn(person)
                        let id = try await place(writer, tokens, "Both")
                        for world in [writer, reader] {
                            let me = try await world.send("GET", "v1/accounts/me", token: tokens.access)
                            #expect(me["email"] == person.email)
                            let path = "v1/accounts/me/places/\(id)"
                            #expect(try await world.send("GET", path, token: tokens.access)["name"] == "Both")
                        }
                    }
                }
            }
        }
    }

    @Test("I14: what is written between the look and the change stays, and is sealed anew in the next round")
    func writtenMeanwhile() async throws {
        try await World.withKeys { directory in
            let file = Self.keys(directory)
            try file.change { try $0.adding(id: "next") }
            try await World.run(keys: directory) { world async throws in
                let tokens = try await world.join(Person())
                let id = try await place(world, tokens, "Before")
                let path = "v1/accounts/me/places/\(id)"
                let keys = try PersonalDataKeys(json: try Data(contentsOf: file.url)).using(id: "next")
                let original = try #require(SealedColumn.all.first { $0.name == "saved_places.sealed" })
                let isFirst = Mutex(true)
                let column = original.finding { pool, batch in
                    let values = try await original.find(pool, batch)
                    guard
                        isFirst.withLock({ first in
                            defer { first = false }; return first
                        })
                    else { return values }
                    let body: JSONValue = [
                        "label": "home", "name": "Meanwhile", "coordinates": ["latitude": 24.7, "longitude": 46.7],
                    ]
                    #expect(try await world.send("PUT", path, body, token: tokens.access).status == 200)
                    return values
                }
                let rotate = RotateKeys(
                    pool: world.pool, cipher: try PersonalDataCipher(keys), columns: [column])
                #expect(try await rotate().map(\.values) == [1])
                #expect(try await world.send("GET", path, token: tokens.access)["name"] == "Meanwhile")
            }
        }
    }

    @Test("I14: rotation ends with a word when a value's key is not in the file, and changes nothing")
    func unknownKey() async throws {
        try await World.run { world async throws in
            _ = try await world.join(Person())
            let foreign = try PersonalDataCipher(.generate(id: "other"))
            await #expect(throws: PersonalDataCipher.Fault.unknownKey(id: "test")) {
                _ = try await RotateKeys(pool: world.pool, cipher: foreign)()
            }
        }
    }

    @Test("I14: keys are added and chosen in the file as a whole; one that is there is not overwritten")
    func file() async throws {
        try await World.withKeys { directory in
            let file = Self.keys(directory)
            #expect(throws: PersonalDataKeys.Fault.keyExists(id: "test")) {
                try file.change { try $0.adding(id: "test") }
            }
            #expect(throws: PersonalDataKeys.Fault.noCurrentKey) { try file.change { try $0.using(id: "none") } }
            try file.change { try $0.adding(id: "next") }
            try file.change { try $0.using(id: "next") }
            let keys = try PersonalDataKeys(json: try Data(contentsOf: file.url))
            #expect(keys.current == "next")
            #expect(Set(keys.keys.keys) == ["test", "next"])
            let path = file.url.path(percentEncoded: false)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("I14: every column of bytes is one that is sealed anew, or is known to hold no personal data")
    func columns() async throws {
        let others: Set = [
            "accounts.email_hash", "accounts.mobile_hash", "contact_changes.value_hash", "contact_changes.proof",
            "documents.digest", "proofs.hash", "refresh_tokens.hash", "refresh_tokens.successor",
            "login_failures.subject", "schema_migrations.checksum", "national_ids.hash", "nafath_attempts.state",
            "nafath_attempts.secret", "nafath_tickets.hash", "nafath_tickets.code", "login_challenges.hash",
            "recovery_codes.hash", "devices.hash", "proofs.secret", "national_ids.mobile_hash",
            "banned_hashes.hash", "role_offers.hash", "contact_targets.value_hash", "sent_sms.number_hash",
            "family_wishes.contact_hash", "api_keys.hash",
            // Sealed with the service's own key and the client's, and gone after a day.
            "idempotency_keys.key_hash", "idempotency_keys.fingerprint", "idempotency_keys.answer",
            // A message of another service as it came, which the broker has clear as well; gone after fourteen days.
            "dead_messages.payload",
        ]
        try await World.run { world async throws in
            let found = Set(try await world.pool.query(ListByteColumns()))
            #expect(Set(SealedColumn.all.map(\.name)).isSubset(of: found))
            #expect(found.subtracting(SealedColumn.all.map(\.name)).subtracting(others) == [])
        }
    }

    @Test("I14: a copy of the database holds no address, number, place, date, detail, or byte of a document in clear")
    func dump() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let (person, tokens) = try await fill(world)
            let dump = try #require(try await world.pool.first(DumpTables())).lowercased()
            #expect(dump.contains(tokens.account.text))
            let texts = [
                person.email, person.mobile, String(person.mobile.dropFirst()), "new.address@example.com",
                "Summer house", "77 Hidden Lane", "1098765432", "21.4225", "24.71357", "46.67531", "1990-05-17",
                "WA 1234567", "062-000 12345678", "/Type /Catalog",
            ]
            for text in texts {
                #expect(!dump.contains(text.lowercased()), "\(text)")
                #expect(!dump.contains(AccessTests.hex(Data(text.utf8))), "\(text)")
            }
            let picture = try UploadedFile(SampleFiles.webp, of: [.webp], maximumSide: 100).bytes
            for bytes in [Data(SampleFiles.pdf.prefix(24)), Data(picture.prefix(24))] {
                #expect(!dump.contains(AccessTests.hex(bytes)))
            }
        }
    }
}

private struct ListByteColumns: Statement {
    static let sql: SQL = """
        SELECT table_name || '.' || column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND data_type = 'bytea'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
