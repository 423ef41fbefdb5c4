public import Glibc
import Synchronization

/// A process that this one has started.
///
/// It begins with no signal blocked or ignored and with none of this process's descriptors but the three. It ends with
/// nobody: in a session of its own it outlives this process, unless somebody ends it.
public final class ChildProcess: Sendable {
    public enum Output: Sendable {
        /// Input, output and errors are those of this process.
        case inherited
        case discarded
        /// Output and errors at the end of a file.
        case appended(to: String)
        case descriptors(Int32, Int32)
    }

    public enum Session: Sendable {
        /// Ctrl-C of a terminal does not reach it.
        case own
        case callers
    }

    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Somebody else has heard of it.
        case unknown

        /// As a shell has it.
        public var code: Int32 {
            switch self {
            case .exited(let code): code
            case .signalled(let number): 128 + number
            case .unknown: -1
            }
        }
    }

    public let id: pid_t
    private let known = Mutex<Ending?>(nil)

    /// - Throws: ``PlatformError`` when it cannot be started.
    public init(_ command: Command, output: Output, session: Session = .own) throws {
        guard !command.words.isEmpty else { throw PlatformError("a command without a program") }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        Self.direct(output, session, &actions)
        Self.reset(session, &attributes)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            command.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, command.words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else {
            throw PlatformError("\(command.words.first ?? "") cannot be started: \(String(cString: strerror(code)))")
        }
        self.id = id
    }

    private static func direct(_ output: Output, _ session: Session, _ actions: inout posix_spawn_file_actions_t) {
        var isInputInherited = false
        switch output {
        case .inherited: isInputInherited = session == .callers
        case .discarded: posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        case .appended(let path):
            posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        case .descriptors(let output, let errors):
            posix_spawn_file_actions_adddup2(&actions, output, 1)
            posix_spawn_file_actions_adddup2(&actions, errors, 2)
        }
        switch output {
        case .discarded, .appended: posix_spawn_file_actions_adddup2(&actions, 1, 2)
        case .inherited, .descriptors: break
        }
        if !isInputInherited { posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
        for descriptor in ProcFile.names(in: "/proc/self/fd").compactMap(Int32.init) where descriptor > 2 {
            // That it may be closed by then is no error (glibc's spawni.c).
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    private static func reset(_ session: Session, _ attributes: inout posix_spawnattr_t) {
        // POSIX_SPAWN_SETSID of glibc, which its header keeps for programs that ask for GNU's own.
        let setSession: Int32 = 0x80
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | (session == .own ? setSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// The ending of the process; nil while it runs.
    public var ending: Ending? {
        known.withLock { known in
            if known == nil {
                var status: Int32 = 0
                let answer = waitpid(id, &status, WNOHANG)
                if answer == id {
                    known = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
                } else if answer < 0, errno == ECHILD {
                    known = .unknown
                }
            }
            return known
        }
    }

    public var isRunning: Bool { ending == nil }

    /// Does nothing to one that has ended: its number may be another's by now.
    public func send(_ signal: Int32) {
        guard isRunning else { return }
        // Between the two nobody but this object could have heard of its end and freed its number.
        _ = Glibc.kill(id, signal)
    }

    public func kill() { send(SIGKILL) }
    public func terminate() { send(SIGTERM) }

    /// Waits until it has ended.
    /// - Returns: nil when the limit is over.
    public func ended(within limit: Duration) async throws -> Ending? {
        var pause = Duration.milliseconds(1)
        let deadline = ContinuousClock.now + limit
        while true {
            if let ending { return ending }
            guard .now < deadline else { return nil }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Waits until it has ended. Whoever cancels ends it, in order if it does so within some seconds.
    func endedOrCancelled(within limit: Duration) async throws -> Ending {
        do {
            if let ending = try await ended(within: limit) { return ending }
        } catch {
            await end()
            throw error
        }
        await end()
        return ending ?? .unknown
    }

    /// SIGTERM, and SIGKILL after some seconds; returns when it has ended, also in a task that is cancelled.
    public func end(within grace: Duration = .seconds(10)) async {
        await Task { [self] in
            terminate()
            // try?: nobody cancels this task.
            if (try? await ended(within: grace)) != nil { return }
            kill()
            _ = try? await ended(within: grace)
        }.value
    }
}
