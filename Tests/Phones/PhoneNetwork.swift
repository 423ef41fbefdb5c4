import AsyncHTTPClient
import NIOCore
import Synchronization

/// The connections that many phones share, as they would share a mast.
public final class PhoneNetwork: Sendable {
    public let endpoints: Endpoints
    public let traffic = Traffic()
    let client: HTTPClient
    /// Gets every call with its answer, also those that are repeated.
    let watch: @Sendable (AnsweredCall) -> Void
    /// Where the sandbox is, whose mails and SMS people read; nil where nobody can read them.
    public let sandboxURL: String?
    /// Where its connections are served and its streams are read; nil for the threads of all.
    public let thread: PhoneThread?
    private let turns = Atomic<Int>(0)

    /// Hold it until ``shutdown()``.
    /// - Parameters:
    ///   - sandboxURL: where mails and SMS can be read.
    ///   - thread: serves its connections; the callers' tasks should prefer it.
    ///   - watch: gets every call with its answer, on the caller's task; not the streams.
    public init(
        _ endpoints: Endpoints, sandboxURL: String? = nil, on thread: PhoneThread? = nil,
        watch: @escaping @Sendable (AnsweredCall) -> Void = { _ in }
    ) {
        self.sandboxURL = sandboxURL
        self.thread = thread
        self.endpoints = endpoints
        self.watch = watch
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        // A stream says something every fifteen seconds; one that is silent for three times as long is dead.
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(45))
        // Each open stream occupies a connection.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 8_192
        configuration.connectionPool.idleTimeout = .seconds(30)
        // The phone itself repeats, and says so.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Nobody collects its traces.
        configuration.tracing.tracer = nil
        client = HTTPClient(
            eventLoopGroup: thread?.group ?? HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    /// Spreads requests over the processes of a service.
    func nextTurn() -> Int {
        turns.wrappingAdd(1, ordering: .relaxed).newValue & Int.max
    }

    public func shutdown() async throws { try await client.shutdown() }
}
