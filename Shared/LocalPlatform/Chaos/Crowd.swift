import Foundation
import Synchronization

/// The simulated people of a drill.
struct Crowd: Sendable {
    private let simulation: Task<Void, any Error>
    private let over = Over()
    private let gathered: String

    /// True once the simulation has ended, well or by an error.
    private final class Over: Sendable {
        let isSet = Atomic(false)
    }

    /// - Parameters:
    ///   - files: what an earlier one has left, besides the file that is made when the first order is about to come.
    ///   - simulate: plays the people, and makes the file of its argument.
    init(
        of run: LocalRun, without files: [String],
        _ simulate: @escaping @Sendable (_ gathered: String) async throws -> Void
    ) throws {
        let gathered = run.state.path("chaos-gathered")
        for file in files + [gathered] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
        self.gathered = gathered
        simulation = Task { [over] in
            defer { over.isSet.store(true, ordering: .releasing) }
            try await simulate(gathered)
        }
    }

    var isGone: Bool { over.isSet.load(ordering: .acquiring) }

    /// Returns when the first order is about to come.
    func gather() async throws {
        let isReady = try await waits(within: .seconds(900), poll: .milliseconds(100)) {
            guard !isGone else { throw PlatformError("the simulation ended before anybody ordered") }
            return FileManager.default.fileExists(atPath: gathered)
        }
        guard isReady else { throw PlatformError("people were not there within a quarter of an hour") }
    }

    func cancel() { simulation.cancel() }

    /// Returns when the last one has gone home.
    func ended() async -> ChaosCheck {
        switch await simulation.result {
        case .success:
            ChaosCheck(name: "simulation", isRight: true, found: "all numbers that must be zero are")
        case .failure(let error): ChaosCheck(name: "simulation", isRight: false, found: "\(error)")
        }
    }
}
