import CLibPQ
import Dispatch
import Glibc
public import PollThread

/// One session with the server, by non-blocking libpq on a ``PollThread``.
///
/// libpq's handle is this actor's state and never leaves it. The session stays in pipeline mode: any number of
/// statements go out together with one `Sync` and come back in one round trip.
///
/// One exchange at a time: the holder of a connection's lease calls it from one task.
public actor PostgresConnection {
    public nonisolated let thread: PollThread
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    nonisolated let configuration: PostgresConfiguration
    /// Nil once closed.
    var handle: OpaquePointer?
    /// Names of the statements that are prepared in this session.
    var prepared: [ObjectIdentifier: String] = [:]
    private var preparedCount = 0
    /// The number of round trips.
    var exchangeCount = 0
    /// Reused for every call of libpq.
    private var scratch = ParameterScratch()

    /// More would be a leak: every statement is a type of the program.
    static let preparedLimit = 500

    private init(thread: PollThread, configuration: PostgresConfiguration) {
        self.thread = thread
        self.configuration = configuration
    }

    /// Opens a session. The DSN's hosts are tried in turn, within the connect timeout in all.
    public static func connect(
        _ configuration: PostgresConfiguration, on thread: PollThread
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(thread: thread, configuration: configuration)
        do {
            try await connection.open()
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    /// Ends the session. The server rolls back what was not committed.
    public func close() {
        guard let handle else { return }
        self.handle = nil
        thread.forget(PQsocket(handle))
        PQfinish(handle)
    }

    isolated deinit { close() }

    // MARK: Opening

    private func open() async throws(PostgresError) {
        guard let handle = OpaquePointer(bitPattern: await Self.start(configuration.keywords)) else {
            throw PostgresError(.connectFailed, "libpq is out of memory")
        }
        self.handle = handle
        let deadline = ContinuousClock.now + configuration.connectTimeout
        // As if libpq had asked to write. A step before the socket is connected would take a host that is silent for one that has
        // answered, and its end for the server's: the DSN's next host would not be tried.
        var interest = PollThread.Interest.write
        while true {
            guard PQstatus(handle) != CONNECTION_BAD else { throw connectFailure(handle) }
            do {
                // libpq may change the socket at every step.
                _ = try await thread.readiness(of: PQsocket(handle), for: interest, until: deadline)
            } catch {
                switch error {
                case .cancelled: throw PostgresError(.cancelled, "cancelled while connecting")
                case .deadlineExceeded: throw PostgresError(.connectFailed, "no answer within the connect timeout")
                case .descriptorClosed: throw PostgresError(.connectFailed, "closed while connecting")
                }
            }
            guard self.handle != nil else { throw PostgresError(.connectFailed, "closed while connecting") }
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return try prepareSession(handle)
            case PGRES_POLLING_READING: interest = .read
            case PGRES_POLLING_WRITING: interest = .write
            default: throw connectFailure(handle)
            }
        }
    }

    /// libpq resolves names when a connection starts, and blocks, so it starts on a thread where blocking does no harm.
    /// No other code has the handle yet; it is returned as a number.
    private static func start(_ keywords: [(String, String)]) async -> UInt {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                let handle = withCStrings(keywords.map(\.0)) { names in
                    withCStrings(keywords.map(\.1)) { values in PQconnectStartParams(names, values, 1) }
                }
                done.resume(returning: UInt(bitPattern: handle))
            }
        }
    }

    private func prepareSession(_ handle: OpaquePointer) throws(PostgresError) {
        // Notices would go to stderr and not to the log.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw connectFailure(handle) }
    }

    private func connectFailure(_ handle: OpaquePointer) -> PostgresError {
        PostgresError(.connectFailed, libpqMessage(handle))
    }

    func libpqMessage(_ handle: OpaquePointer) -> String {
        let text = String(cString: PQerrorMessage(handle))
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    // MARK: State

    var isUsable: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

    /// Whether the session is outside any transaction.
    var isIdle: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false }

    /// Whether an idle session still lives, as far as the socket shows: a server writes to an idle session only to end
    /// it, or rarely to give notice, and then a new session is no loss. Costs one read of the socket.
    func isHealthy() -> Bool {
        guard let handle, PQstatus(handle) == CONNECTION_OK, PQtransactionStatus(handle) == PQTRANS_IDLE else {
            return false
        }
        var byte: UInt8 = 0
        return recv(PQsocket(handle), &byte, 1, Int32(Int(MSG_PEEK) | Int(MSG_DONTWAIT))) < 0 && errno == EAGAIN
    }

    /// The server's process, as `pg_stat_activity.pid`.
    public var backendPID: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

    // MARK: Sending

    /// Queues one statement in libpq's buffer; prepares it first if this session has not.
    func enqueue(
        _ statement: EncodedStatement, _ handle: OpaquePointer, newlyPrepared: inout [ObjectIdentifier: String]
    ) throws(PostgresError) -> Bool {
        var name = prepared[statement.key] ?? newlyPrepared[statement.key]
        var prepares = false
        if name == nil {
            preparedCount += 1
            let fresh = "s\(preparedCount)"
            guard scratch.prepare(handle, name: fresh, statement) else { throw lost(handle) }
            newlyPrepared[statement.key] = fresh
            name = fresh
            prepares = true
        }
        guard scratch.send(handle, name: name ?? "", statement.bindings) else { throw lost(handle) }
        return prepares
    }

    /// Remembers a prepared statement. Starts over when full, which costs a second prepare and does no harm.
    func remember(_ key: ObjectIdentifier, _ name: String) {
        if prepared.count >= Self.preparedLimit { prepared.removeAll() }
        prepared[key] = name
    }

    /// Closes a connection that libpq has given up, and returns the error.
    func lost(_ handle: OpaquePointer) -> PostgresError {
        let error = PostgresError(.connectionLost, libpqMessage(handle))
        close()
        return error
    }
}

/// Arrays from which libpq reads parameters, kept between calls.
struct ParameterScratch {
    private var values: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var types: [UInt32] = []

    mutating func prepare(_ handle: OpaquePointer, name: String, _ statement: EncodedStatement) -> Bool {
        types.removeAll(keepingCapacity: true)
        for parameter in statement.bindings.parameters { types.append(parameter.type) }
        return PQsendPrepare(handle, name, statement.sql().text, Int32(types.count), types) == 1
    }

    mutating func send(_ handle: OpaquePointer, name: String, _ bindings: Bindings) -> Bool {
        let count = bindings.parameters.count
        while formats.count < count { formats.append(1) }
        values.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        return bindings.bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            for parameter in bindings.parameters {
                lengths.append(max(0, parameter.length))
                // An empty value is not NULL, so it needs a valid address.
                let start = base.map { $0 + Int(parameter.start) } ?? Self.emptyValue
                values.append(parameter.length < 0 ? nil : start)
            }
            return PQsendQueryPrepared(handle, name, Int32(count), values, lengths, formats, 1)
        } == 1
    }

    private static var emptyValue: UnsafePointer<CChar>? {
        ("" as StaticString).withUTF8Buffer { UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self) }
    }
}

/// Provides a NULL-terminated array of C strings during `body`.
func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
}
