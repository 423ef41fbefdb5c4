import Glibc
import Locks

/// Writes whole lines to a file descriptor, usually standard error.
///
/// A line is one `write(2)` under a lock, so lines of different threads never mix. If the reader of a pipe is slow, the
/// write waits: the service does not run without its log. If the descriptor fails, the line is lost.
public final class LogSink: Sendable {
    private let descriptor: Mutex<Int32>

    public init(descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    public static let standardError = LogSink(descriptor: STDERR_FILENO)

    /// Whether a person reads it.
    public var isTerminal: Bool { descriptor.withLock { isatty($0) == 1 } }

    func write(_ line: [UInt8]) {
        descriptor.withLock { descriptor in
            line.withUnsafeBytes { bytes in
                var remaining = UnsafeRawBufferPointer(bytes)
                while !remaining.isEmpty {
                    let count = Glibc.write(descriptor, remaining.baseAddress, remaining.count)
                    if count > 0 {
                        remaining = UnsafeRawBufferPointer(rebasing: remaining.dropFirst(count))
                    } else if count < 0, errno == EAGAIN {
                        // The descriptor is non-blocking: wait until it accepts more.
                        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&waiting, 1, 1_000)
                        if waiting.revents & Int16(POLLOUT) == 0 { return }
                    } else if count == 0 || errno != EINTR {
                        return
                    }
                }
            }
        }
    }
}
