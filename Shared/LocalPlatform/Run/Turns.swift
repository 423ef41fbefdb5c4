import Foundation

/// How processes share cores that do not suffice (docs/performance.md).
public struct Turns: Sendable {
    /// Before a command: whoever is woken does not push aside who is working (sched(7), SCHED_BATCH). With fifteen processes on
    /// two full cores that took a fourteenth of them, and half of a request's time at the median. Empty where one may not
    /// choose.
    public let batch: [String]

    public init() async throws {
        let words = ["chrt", "--batch", "0"]
        do {
            try await Command(words + ["true"]).run()
            batch = words
        } catch let error where !(error is CancellationError) {
            batch = []
        }
    }

    /// The command of a deployment's process.
    func command(_ process: ProcessPlan, _ command: Command) -> Command {
        // A tenth of the others' weight.
        let later = process.isPatient ? command.run(by: ["nice", "-n", "10"]) : command
        // Dispatch alone does not wait until who works has had its time: everything on a request's way passes its one thread.
        return process.service == "dispatch" ? later : later.run(by: batch)
    }

    /// A session has a weight of its own on machines without control groups (sched(7), autogroup), which only root may set more
    /// than ten times a second, all sessions together.
    static func setBack(_ process: ChildProcess) async throws {
        let file = "/proc/\(process.id)/autogroup"
        for _ in 0..<20 where FileManager.default.fileExists(atPath: file) {
            if ProcFile.write("10", to: file) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
