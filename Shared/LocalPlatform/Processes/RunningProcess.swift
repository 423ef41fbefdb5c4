public import Glibc

/// A process of this machine, by its number and its start: with both it is named for good.
public struct RunningProcess: Sendable, Hashable {
    public let id: pid_t
    public let parent: pid_t
    public let session: pid_t
    /// In ticks of the kernel's clock.
    public let startedAt: UInt64

    /// Nil when there is none, or when it has ended and nobody has asked how.
    public init?(_ id: pid_t) {
        guard let process = Self.read(id), !process.hasEnded else { return nil }
        self = process.process
    }

    /// The process of a ``note``; nil when it has ended, also if another process has its number now.
    init?(noted text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let id = pid_t(words[0]), let process = RunningProcess(id),
            words[1] == "\(process.startedAt)"
        else { return nil }
        self = process
    }

    /// The number and the start, as a text for a file.
    var note: String { "\(id) \(startedAt)" }

    private init(id: pid_t, parent: pid_t, session: pid_t, startedAt: UInt64) {
        (self.id, self.parent, self.session, self.startedAt) = (id, parent, session, startedAt)
    }

    private static func read(_ id: pid_t) -> (process: RunningProcess, hasEnded: Bool)? {
        // proc(5): the second field, the program's name, may hold spaces and brackets; the rest comes after its last bracket.
        let text = String(decoding: ProcFile.bytes("/proc/\(id)/stat"), as: UTF8.self)
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        guard fields.count > 19, let parent = pid_t(fields[1]), let session = pid_t(fields[3]),
            let startedAt = UInt64(fields[19])
        else { return nil }
        let process = RunningProcess(id: id, parent: parent, session: session, startedAt: startedAt)
        return (process, fields[0] == "Z" || fields[0] == "X")
    }

    /// True while the process runs. An ended child of this process is reaped.
    public var isRunning: Bool {
        guard let (process, hasEnded) = Self.read(id), process.startedAt == startedAt else { return false }
        if hasEnded, process.parent == getpid() { waitpid(id, nil, WNOHANG) }
        return !hasEnded
    }

    /// All that run, in no order.
    public static func all() -> [RunningProcess] {
        ProcFile.names(in: "/proc").compactMap { pid_t($0) }.compactMap { RunningProcess($0) }
    }

    /// Its program and arguments.
    var words: [String] {
        ProcFile.bytes("/proc/\(id)/cmdline").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A variable of the environment that it was started with; nil where it may not be read.
    func variable(_ name: String) -> String? {
        let start = Array("\(name)=".utf8)
        return ProcFile.bytes("/proc/\(id)/environ").split(separator: 0).first { $0.starts(with: start) }
            .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }

    public func send(_ signal: Int32) {
        if isRunning { _ = kill(id, signal) }
    }
}

extension Collection<RunningProcess> where Self: Sendable {
    /// Ends them together and returns when they have ended. Those that have not ended in time are killed.
    /// - Throws: ``PlatformError`` when one cannot be ended; `CancellationError`.
    func end(by signal: Int32 = SIGTERM, within grace: Duration) async throws {
        for process in self { process.send(signal) }
        if try await waits(within: grace, { !contains { $0.isRunning } }) { return }
        for process in self { process.send(SIGKILL) }
        guard try await waits(within: .seconds(10), { !contains { $0.isRunning } }) else {
            throw PlatformError("the processes \(map(\.id)) do not end")
        }
    }
}

/// Asks until it is so.
/// - Returns: false when the limit is over.
func waits(
    within limit: Duration, poll: Duration = .milliseconds(10), _ condition: () async throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard .now < deadline else { return false }
        try await Task.sleep(for: poll)
    }
    return true
}
