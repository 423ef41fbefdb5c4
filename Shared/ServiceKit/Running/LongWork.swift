/// Runs work that takes milliseconds of computing off the thread that requests share with the database's sockets.
public enum LongWork {
    /// Does it on Swift's own threads and comes back. `@concurrent` alone would stay: a task that prefers a thread, as those of
    /// requests do, runs such functions there, too.
    public static func run<Value: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) -> Value in
            try await elsewhere(work)
        }
    }

    @concurrent
    private static func elsewhere<Value: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value { try work() }
}
