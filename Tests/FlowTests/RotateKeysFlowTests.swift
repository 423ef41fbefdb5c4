import Foundation
import TestKit
import Testing

@Suite("Keys of personal data, by the program", .timeLimit(.minutes(15)))
struct RotateKeysFlowTests {
    @Test("I14: keys are made, added, chosen and rotated by the commands alone, and the old one can then be taken out")
    func whole() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rotate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // try?: a left-over scratch folder in the system's temporary folder harms no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestDatabase.withDatabase { database in
            let file = folder.appending(path: "personal-data.json")
            let environment = [
                "SERAI_DATABASE_URL": database.dsn, "SERAI_IDENTITY_PERSONAL_KEY_FILE": file.path(),
                "SERAI_ADMIN_PASSWORD": "Serai-2026-secret", "SERAI_LOG_LEVEL": "error",
            ]
            func identity(_ arguments: String...) async throws -> [String] {
                let text = try await Program.run("identity", arguments, environment: environment, folder: folder)
                return text.split(separator: "\n").map(String.init)
            }
            _ = try await identity("create-keys", "--directory", folder.path())
            _ = try await identity("migrate")
            _ = try await identity(
                "create-admin", "--email", "admin@example.com", "--mobile", "+966500000001", "--name", "Admin")
            let first = try keys(file)
            #expect(try await identity("rotate-keys").contains("accounts.email: 0"))
            _ = try await identity("rotate-keys", "--add", "next")
            #expect(try keys(file).current == first.current)
            await #expect(throws: Program.Failed.self) { try await identity("rotate-keys", "--use", "none") }
            _ = try await identity("rotate-keys", "--use", "next")
            let lines = try await identity("rotate-keys")
            for column in ["accounts.email: 1", "accounts.mobile: 1"] { #expect(lines.contains(column), "\(lines)") }
            #expect(lines.last?.hasPrefix("nothing is sealed with another key") == true)
            var only = try keys(file)
            only.keys = only.keys.filter { $0.key == "next" }
            try JSONEncoder().encode(only).write(to: file)
            #expect(try await identity("rotate-keys").contains("accounts.email: 0"))
        }
    }

    private struct Keys: Codable {
        var current: String
        var keys: [String: String]
        var lookup: String
    }

    private func keys(_ file: URL) throws -> Keys { try JSONDecoder().decode(Keys.self, from: Data(contentsOf: file)) }
}
