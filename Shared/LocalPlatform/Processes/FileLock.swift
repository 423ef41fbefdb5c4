import Glibc

/// A lock that lies on a file (flock(2)); it is free again when its owner ends, however that comes.
public final class FileLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``PlatformError`` when the file cannot be made.
    public init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw PlatformError("\(path) cannot be opened") }
    }

    deinit { close(descriptor) }

    /// Nobody else has it then, shared or not.
    public func tryExclusive() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// - Throws: ``PlatformError`` when others have had it for the whole time; `CancellationError`.
    public func exclusive(within limit: Duration) async throws {
        guard try await waits(within: limit, { tryExclusive() }) else {
            throw PlatformError("others have had \(path) for \(limit)")
        }
    }

    /// Others may have it shared, too.
    public func shared(within limit: Duration) async throws {
        guard try await waits(within: limit, { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }) else {
            throw PlatformError("another has had \(path) for \(limit)")
        }
    }

    /// Writes the owner's number and start into the file: the number may be another process's later.
    public func sign() {
        guard let own = RunningProcess(getpid()) else { return }
        let text = Array("\(own.note)\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, text, text.count, 0)
    }

    /// The process that has signed last, while it runs.
    public var owner: RunningProcess? {
        RunningProcess(noted: String(decoding: ProcFile.bytes(path).prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
