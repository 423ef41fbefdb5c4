/// Short waits before the operations of a race, so that now the one comes first and now the other. That is what they
/// are for: nothing is awaited by them.
///
/// How long each is follows from the seed, the round and the line that asks, and from nothing else: `SERAI_SEED`
/// repeats them all, however the tasks are scheduled.
public enum RaceDelay {
    /// Of this process. Name it where a race fails.
    public static let seed = SeededGenerator()
    /// Which round this task and its children run, from 0 on.
    @TaskLocal public static var round = 0

    /// About as long as an operation takes, in seconds.
    private static let range = 0.0...0.004

    /// A number of this round and line.
    public static func seconds(_ range: ClosedRange<Double>, line: Int = #line) -> Double {
        var generator = SeededGenerator(seed: seed.seed ^ UInt64(round) << 24 ^ UInt64(line))
        return Double.random(in: range, using: &generator)
    }

    /// Waits a few milliseconds, or none.
    ///
    /// - Throws: `CancellationError`
    public static func wait(line: Int = #line) async throws {
        try await Task.sleep(for: .seconds(seconds(range, line: line)))
    }

    /// Does something after such a wait.
    public static func late<Value>(line: Int = #line, _ work: () async throws -> Value) async throws -> Value {
        try await wait(line: line)
        return try await work()
    }
}
