import Logging
import PollThread

/// Keeps one connection open, again after every loss, and drives its role: reads events, writes requests, keeps
/// deadlines and heartbeats.
///
/// Everything runs on the link's own thread in short turns that never block; opening, which blocks, is done by the
/// ``Connector``. Three kinds of tasks meet here: `run()` reads, `serveRequests()` takes callers' requests, and timers
/// fire.
actor Link<Role: ChannelRole> {
    nonisolated let thread: PollThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    nonisolated let requests: Wakeup
    nonisolated let status = LinkStatus()

    private let configuration: AMQPConfiguration
    private let topology: Topology
    private let logger: Logger
    private let metrics: AMQPMetrics
    let role: Role

    enum Phase { case notStarted, running, ended }
    enum Closing { case no, requested, sent, done }

    var phase = Phase.notStarted
    /// The number of tries to connect.
    private var attempt: UInt64 = 0
    /// The number of connections.
    private var epoch: UInt64 = 0
    var connection: BrokerConnection?
    /// Why the connection has ended, when found outside the reading loop.
    var failure: AMQPError?
    /// The last logged reason for having no connection.
    private var told: AMQPError?
    private var opening: Result<BrokerConnection, AMQPError>?
    private var isAwaitingWritable = false
    /// Fires at the next deadline.
    var timer: (at: ContinuousClock.Instant, task: Task<Void, Never>)?

    var closing = Closing.no
    var closingDeadline: ContinuousClock.Instant?
    var closeWaiters: [UnsafeContinuation<Void, Never>] = []
    /// Wakes `run()` while it has no connection.
    let control = Wakeup()

    /// How long the broker may take to answer `connection.close`.
    static var closeTimeout: Duration { .seconds(1) }
    /// Frames that are handled before callers get a turn.
    private static var turnLimit: Int { 512 }

    init(
        _ configuration: AMQPConfiguration, _ topology: Topology, thread: PollThread, requests: Wakeup,
        metrics: AMQPMetrics, logger: Logger, role: sending Role
    ) {
        self.configuration = configuration
        self.topology = topology
        self.thread = thread
        self.requests = requests
        self.metrics = metrics
        self.logger = logger
        self.role = role
    }

    // MARK: Running

    /// Takes callers' requests, connected or not, until the end.
    func serveRequests() async {
        while await requests.wait() { turn() }
    }

    /// Connects and reads until closed or cancelled.
    nonisolated func run() async throws(AMQPError) {
        // A continuation resumes on the executor that its task prefers, else on the global one, and only then returns
        // to its actor: without this, each wait would change threads twice.
        let outcome = await withTaskExecutorPreference(thread) { () async -> Result<Void, AMQPError> in
            do throws(AMQPError) {
                return .success(try await connectAndServe())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    private func connectAndServe() async throws(AMQPError) {
        if phase == .ended { return }
        guard phase == .notStarted else { throw AMQPError(.misconfigured, "run() was called twice") }
        phase = .running
        defer { finish() }
        var policy = configuration.reconnect
        var generator = SystemRandomNumberGenerator()
        while !isStopping {
            var error: AMQPError
            var lasted: Duration?
            do throws(AMQPError) {
                guard let connection = try await open() else { return }
                error = await serve(connection) ?? AMQPError(.connectionLost, "closed")
                lasted = connection.openedAt.duration(to: .now)
                drop(connection, error)
                if isStopping { return }
            } catch let failure {
                // Before the first success, such an error is a wrong configuration.
                if !status.hasConnected && failure.isFatalAtStart {
                    logger.error("the broker refuses to serve us", metadata: ["error": "\(failure)"])
                    throw failure
                }
                error = failure
            }
            let delay = policy.nextDelay(afterConnectionOf: lasted, using: &generator)
            tell(error, delay)
            await pause(until: .now + delay)
        }
    }

    /// Waiting for another service is normal, and logged once however long it takes.
    private func tell(_ error: AMQPError, _ delay: Duration) {
        defer { told = error }
        let metadata: Logger.Metadata = ["error": "\(error)", "retry in": "\(delay)"]
        guard error.code == .exchangeMissing else {
            return logger.warning("no connection to the broker", metadata: metadata)
        }
        logger.log(level: error == told ? .debug : .notice, "waiting for other services' exchanges", metadata: metadata)
    }

    private var isStopping: Bool { Task.isCancelled || closing == .done }

    func finish() {
        if let connection { drop(connection, AMQPError(.connectionLost, "closed")) }
        phase = .ended
        closing = .done
        timer?.task.cancel()
        timer = nil
        role.ended()
        requests.close()
        for waiter in closeWaiters { waiter.resume() }
        closeWaiters = []
        thread.stop()
    }

    // MARK: Opening

    /// - Returns: nil if stopped in the meantime; a connection that still opens is then closed.
    private func open() async throws(AMQPError) -> BrokerConnection? {
        attempt += 1
        opening = nil
        startOpening(attempt)
        while opening == nil && !isStopping { await waitForControl() }
        guard let outcome = opening, !isStopping else { return nil }
        opening = nil
        let connection = try outcome.get()
        self.connection = connection
        epoch += 1
        failure = nil
        told = nil
        isAwaitingWritable = false
        role.opened(epoch: epoch)
        status.opened()
        metrics.connected(isFirst: epoch == 1)
        logger.info("connected to the broker", metadata: ["broker": "\(configuration.url)"])
        return connection
    }

    /// In a task of its own, so that stopping need not wait for it.
    private func startOpening(_ attempt: UInt64) {
        Task(executorPreference: thread) { await self.finishOpening(attempt) }
    }

    private func finishOpening(_ attempt: UInt64) async {
        let outcome: Result<BrokerConnection, AMQPError>
        do throws(AMQPError) {
            outcome = .success(try await Connector().open(configuration, topology, role.purpose, epoch: epoch + 1))
        } catch {
            outcome = .failure(error)
        }
        guard attempt == self.attempt, phase == .running else { return }
        opening = outcome
        control.raise()
    }

    private func pause(until deadline: ContinuousClock.Instant) async {
        let (thread, control) = (thread, control)
        let timer = Task(executorPreference: thread) {
            // Cancelled means that the pause is already over.
            do throws(PollThread.WaitError) { try await thread.sleep(until: deadline) } catch { return }
            control.raise()
        }
        while ContinuousClock.now < deadline && !isStopping { await waitForControl() }
        timer.cancel()
    }

    private func waitForControl() async {
        let control = control
        _ = await withTaskCancellationHandler {
            await control.wait()
        } onCancel: {
            control.raise()
        }
    }

    // MARK: Reading

    /// - Returns: why the connection ended; nil if we closed it.
    private func serve(_ connection: BrokerConnection) async -> AMQPError? {
        do throws(AMQPError) {
            // Frames that came during the declarations are in librabbitmq's queue, where the socket does not show them.
            while true {
                try await read(connection)
                if let failure { return failure }
                if isStopping { return nil }
                let isReadable = try await waitToRead(connection)
                let now = ContinuousClock.now
                if isReadable { connection.noteReceived(at: now) }
                try connection.checkHeartbeat(now: now)
            }
        } catch {
            // The answer to our own close may be the end of the stream.
            return closing == .sent || closing == .done ? nil : failure ?? error
        }
    }

    private func waitToRead(_ connection: BrokerConnection) async throws(AMQPError) -> Bool {
        do throws(PollThread.WaitError) {
            _ = try await thread.readiness(
                of: connection.descriptor, for: .read, until: connection.nextHeartbeatCheck)
            return true
        } catch {
            // Not readable: a heartbeat is due, or the task is cancelled.
            return false
        }
    }

    private func read(_ connection: BrokerConnection) async throws(AMQPError) {
        var events = 0
        repeat {
            guard let event = try connection.nextEvent() else { break }
            if case .closed = event { closing = .done } else { try role.handle(event) }
            note(event)
            events += 1
            if events % Self.turnLimit == 0 {
                turn()
                await Task.yield()
                if failure != nil || isStopping { return }
            }
        } while connection.mayHoldFrames
        turn()
    }

    private func note(_ event: ChannelEvent) {
        switch event {
        case .blocked(let reason):
            status.setBlocked(true)
            logger.warning("the broker blocks publishers", metadata: ["reason": "\(reason)"])
        case .unblocked:
            status.setBlocked(false)
            logger.info("the broker takes messages again")
        case .tooLarge(_, let bytes):
            logger.error("rejected a message over the body limit", metadata: ["bytes": "\(bytes)"])
        default: break
        }
    }

    // MARK: Turns

    /// Does everything that is possible without waiting.
    func turn() {
        let now = ContinuousClock.now
        role.takeRequests(now: now)
        if let connection, failure == nil, closing != .done {
            do { try write(connection, now) } catch { fail(connection, error) }
        }
        role.endTurn(now: now)
        if closing != .no { advanceClosing(now) }
        armTimer()
    }

    func write(_ connection: BrokerConnection, _ now: ContinuousClock.Instant) throws(AMQPError) {
        guard !isAwaitingWritable else { return }
        while true {
            let hasMore = closing == .sent ? false : try role.write(to: connection, now: now)
            guard try connection.flush() else { return awaitWritable(connection) }
            if !hasMore { return }
        }
    }

    /// Waits after a full socket: a slow network, or an alarm of the broker.
    private func awaitWritable(_ connection: BrokerConnection) {
        isAwaitingWritable = true
        let (descriptor, epoch) = (connection.descriptor, epoch)
        Task(executorPreference: thread) { await self.continueWriting(to: descriptor, epoch) }
    }

    private func continueWriting(to descriptor: Int32, _ epoch: UInt64) async {
        while epoch == self.epoch, connection != nil {
            do throws(PollThread.WaitError) {
                // Checked again after a second: the wait may have begun when the descriptor already belonged to another
                // connection.
                _ = try await thread.readiness(of: descriptor, for: .write, until: .now + .seconds(1))
            } catch {
                // Not writable yet, or the connection has ended; the loop checks.
                continue
            }
            guard epoch == self.epoch, connection != nil else { return }
            isAwaitingWritable = false
            return turn()
        }
    }

    /// Ends the connection from outside the reading loop, which then cleans up.
    func fail(_ connection: BrokerConnection, _ error: AMQPError) {
        failure = error
        connection.interrupt()
    }

    private func drop(_ connection: BrokerConnection, _ error: AMQPError) {
        guard self.connection === connection else { return }
        if closing == .no || closing == .requested { sayGoodbye(connection) }
        thread.forget(connection.descriptor)
        self.connection = nil
        status.lost()
        role.takeRequests(now: .now)
        role.lost(error)
        role.endTurn(now: .now)
        metrics.disconnected()
    }

    /// For a cancelled `run()`: sends a close to the broker without waiting for the answer.
    private func sayGoodbye(_ connection: BrokerConnection) {
        guard Task.isCancelled, failure == nil else { return }
        do {
            try connection.writer.closeConnection("ended")
            _ = try connection.flush()
        } catch {
            logger.debug("could not say goodbye", metadata: ["error": "\(error)"])
        }
    }
}
