import Foundation
import Glibc
import LocalPlatform
import SeraiJSON
import TestKit
import Testing

/// `scripts/run` with a folder of its own, as the terminal of a developer runs it.
@Suite("Ending a run", .serialized, .timeLimit(.minutes(15)))
struct RunSignalTests {
    /// When the signal comes: so long after the run has said this.
    struct Moment: Sendable, CustomTestStringConvertible {
        let line: String
        var milliseconds = 0
        var signal = SIGINT
        var testDescription: String { "\(line) + \(milliseconds) ms, signal \(signal)" }
    }

    @Test(
        "Ctrl-C at any moment ends everything, and leaves nothing but logs",
        arguments: [
            Moment(line: "starting PostgreSQL"), Moment(line: "starting PostgreSQL", milliseconds: 1_500),
            Moment(line: "migrating", milliseconds: 50), Moment(line: "starting the services"),
            Moment(line: "starting the services", milliseconds: 12),
            Moment(line: "starting the services", milliseconds: 40, signal: SIGTERM),
            Moment(line: "Ctrl-C stops all of it", milliseconds: 500, signal: SIGHUP),
        ])
    func ends(_ moment: Moment) async throws {
        let folder = TestServers.projectDirectory.appending(
            path: ".local/tmp/\(getpid())-run-\(UUID().uuidString.prefix(8).lowercased())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = try Run(folder: folder)
        try await eventually(within: .seconds(150), "it says: \(moment.line)", poll: .milliseconds(2)) {
            guard run.isRunning else { throw Program.Failed(name: "run", exitCode: -1, log: run.output) }
            return run.output.contains(moment.line)
        }
        // Not a wait for anything: this is the moment.
        try await Task.sleep(for: .milliseconds(moment.milliseconds))
        run.signalGroup(moment.signal)
        try await eventually(within: .seconds(150), "it has ended") { !run.isRunning }
        #expect(run.exitCode == 128 + moment.signal, "\(run.output)")
        #expect(Self.processes(of: folder) == [], "\(run.output)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(left == ["logs"])
        for path in [folder.path(), folder.path() + ".lock", folder.path() + ".out"] {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Everything that has the folder in its environment or its arguments.
    private static func processes(of folder: URL) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
        return numbers.filter { $0 != String(getpid()) }.compactMap { number in
            // try?: processes end.
            let texts = ["environ", "cmdline"].compactMap {
                try? Data(contentsOf: URL(filePath: "/proc/\(number)/\($0)"))
            }
            guard texts.contains(where: { $0.range(of: Data(folder.lastPathComponent.utf8)) != nil }) else {
                return nil
            }
            return "\(number): " + String(decoding: texts.last ?? Data(), as: UTF8.self).replacing("\0", with: " ")
        }
    }
}

/// A run in a process group of its own, like a terminal's foreground job.
private struct Run {
    private let process: ChildProcess
    private let outputPath: String

    init(folder: URL) throws {
        outputPath = folder.path() + ".out"
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SERAI_") }
        environment["SERAI_RUN_FOLDER"] = folder.path()
        let script = Project.current.path("scripts/run")
        process = try ChildProcess(
            Command([script, "--no-build", "--no-walk"], environment: environment), output: .appended(to: outputPath))
    }

    // try?: no file is no text.
    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    var isRunning: Bool { process.isRunning }
    var exitCode: Int32? { process.ending?.code }

    func signalGroup(_ number: Int32) {
        let group = getpgid(process.id)
        // Were it this process's own group, the test would end itself.
        guard process.isRunning, group == process.id else { return }
        _ = Glibc.kill(-group, number)
    }
}
