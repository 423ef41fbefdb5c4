import Locks
import Logging

/// Keeps what is logged, with its metadata.
final class LevelLog: LogHandler, Sendable {
    private let kept = Mutex<[(level: Logger.Level, text: String)]>([])

    var logger: Logger { Logger(label: "kept") { _ in self } }

    func lines(atLeast level: Logger.Level) -> [String] {
        kept.withLock { $0.filter { $0.level >= level }.map(\.text) }
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let line = (level: event.level, text: "\(event.message) \(event.metadata ?? [:])")
        kept.withLock { $0.append(line) }
    }
}
