import Foundation
import LocalPlatform
import Testing

/// `scripts/backup-drill`, which ends with 1 when a row is lost or one too many is there.
@Suite("Copies of the database", .timeLimit(.minutes(10)))
struct BackupTests {
    @Test("Q3, Q2: a database that is destroyed while rows are written comes back as it was at a second between")
    func drill() async throws {
        var project = URL(filePath: #filePath)
        for _ in 0..<3 { project.deleteLastPathComponent() }
        let drill = project.appending(path: "scripts/backup-drill").path(percentEncoded: false)
        let said = try await Command([drill, "--megabytes", "16", "--seconds", "1"]).run(within: .seconds(540))
        #expect(said.contains("rows acknowledged before the moment are there"))
        #expect(said.contains("back after"))
    }
}
