import Foundation
import Glibc
import TestKit
import Testing

@testable import LocalPlatform

@Suite("Local processes", .timeLimit(.minutes(5)))
struct ProcessTests {
    private func withFolder(_ body: (StateFolder) async throws -> Void) async throws {
        let folder = StateFolder(FileManager.default.temporaryDirectory.path() + "/platform \(UUID().uuidString)")
        try folder.create()
        // try?: a left-over scratch folder in the system's temporary folder harms no test.
        defer { try? folder.remove() }
        try await body(folder)
    }

    @Test("a command answers with what it wrote, and one that fails with its code and its words")
    func commands() async throws {
        #expect(try await Command(["sh", "-c", "echo $A; echo no >&2"]).with(["A": "yes"]).run() == "yes\n")
        let failure = await #expect(throws: CommandFailure.self) {
            try await Command(["sh", "-c", "echo out; echo words >&2; exit 7"]).run()
        }
        #expect(failure?.ending == .exited(7) && failure?.output == "out\n" && failure?.errors == "words\n")
        let late = await #expect(throws: CommandFailure.self) {
            try await Command(["sleep", "100"]).run(within: .milliseconds(50))
        }
        #expect(late?.ending == .signalled(SIGTERM))
        await #expect(throws: PlatformError.self) { try await Command(["/no/such/program"]).run() }
    }

    @Test("whoever cancels ends the command, also one that hears no SIGTERM")
    func cancelled() async throws {
        try await withFolder { folder in
            let mark = Mark(folder: folder.path, name: "deaf")
            let command = Command(["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"]).with(mark.variables)
            let child = try ChildProcess(command, output: .discarded)
            try await eventually("it runs") { !Mark.processes(in: folder.path).isEmpty }
            await child.end(within: .milliseconds(200))
            #expect(child.ending == .signalled(SIGKILL))
            let running = Task { try await Command(["sleep", "100"]).with(mark.variables).run() }
            try await eventually("it runs") {
                Mark.processes(in: folder.path).contains { $0.process.words == ["sleep", "100"] }
            }
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
            try await Mark.end(in: folder.path, within: .seconds(1))
            #expect(Mark.processes(in: folder.path).isEmpty)
        }
    }

    @Test("what a process has started is found by its mark, though its parent has ended, and is ended with it")
    func marked() async throws {
        try await withFolder { folder in
            let mark = Mark(folder: folder.path, name: "tree")
            let command = Command(["sh", "-c", "sleep 100 & sleep 100 & exit 0"]).with(mark.variables)
            _ = try await ChildProcess(command, output: .discarded).ended(within: .seconds(10))
            let other = Mark(folder: folder.path + "-other", name: "tree")
            let bystander = try ChildProcess(Command(["sleep", "100"]).with(other.variables), output: .discarded)
            defer { bystander.kill() }
            try await eventually("both run") {
                Mark.processes(in: folder.path).filter { $0.process.words == ["sleep", "100"] }.count == 2
            }
            try await Mark.end(in: folder.path, within: .seconds(5)) { $0 == "tree" }
            #expect(Mark.processes(in: folder.path).isEmpty)
            #expect(bystander.isRunning)
        }
    }

    @Test("a process has a session of its own, no other descriptor than three, and no signal is blocked or ignored")
    func fresh() async throws {
        let pipe = Pipe()  // Without close-on-exec where Foundation makes it so.
        defer { withExtendedLifetime(pipe) {} }
        // A shell has more descriptors while it makes a pipe; `ls` has one for the folder that it reads.
        let descriptors = try await Command(["ls", "/proc/self/fd"]).run().split(separator: "\n")
        #expect(descriptors == ["0", "1", "2", "3"])
        // A shell blocks signals while it waits, so the last program takes its place.
        let said = try await Command([
            "sh", "-c", "ps -o sid= -p $$; echo $$; exec grep -E '^Sig(Blk|Ign)' /proc/self/status",
        ])
        .run().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(said.first == said.dropFirst().first)
        let signals = said.filter { $0.hasPrefix("Sig") }
        // Signals 32 and 33 are glibc's own.
        let others = signals.compactMap { UInt64($0.suffix(16), radix: 16) }.map { $0 & ~0x1_8000_0000 }
        #expect(others == [0, 0], "\(signals)")
    }

    @Test("a number that has got to another process names nobody")
    func numbers() async throws {
        let child = try ChildProcess(Command(["sleep", "100"]), output: .discarded)
        let process = try #require(RunningProcess(child.id))
        #expect(process.isRunning && process.parent == getpid() && process.session == child.id)
        child.kill()
        try await eventually("it has ended") { !process.isRunning }
        #expect(RunningProcess(child.id) == nil)
        #expect(try #require(RunningProcess(getpid())).isRunning)
    }

    @Test("a lock has one owner, or several that share it, and is free when they are gone")
    func locks() async throws {
        try await withFolder { folder in
            let path = folder.path("lock")
            var one: FileLock? = try FileLock(path)
            let two = try FileLock(path)
            try await one?.shared(within: .seconds(1))
            try await two.shared(within: .seconds(1))
            #expect(one?.tryExclusive() == false)
            one = nil
            #expect(two.tryExclusive())
            two.sign()
            #expect(two.owner?.id == getpid())
            await #expect(throws: PlatformError.self) { try await FileLock(path).shared(within: .milliseconds(50)) }
        }
    }

    @Test("ports are given away once, and none on which somebody listens")
    func ports() async throws {
        let ports = try FreePorts.take(30)
        #expect(Set(ports).count == 30 && ports.allSatisfy { FreePorts.isFree($0) && !FreePorts.answers($0) })
        let others = try FreePorts.take(30)
        #expect(Set(ports).isDisjoint(with: others))
    }

    @Test("what is kept is made once, is private, and is read without the line's end")
    func kept() async throws {
        try await withFolder { folder in
            let first = try folder.kept("secret") { Secret.hexadecimal() }
            #expect(try folder.kept("secret") { "another" } == first && first.count == 32)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("secret"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(folder.text("none") == nil)
        }
    }
}
