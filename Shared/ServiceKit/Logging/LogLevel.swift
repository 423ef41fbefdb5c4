public import Logging

/// The levels of swift-log as a configuration value.
public enum LogLevel: String, Sendable, CaseIterable, ConfigurationValue {
    case trace, debug, info, notice, warning, error, critical

    public var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}

/// The form of log lines.
public enum LogFormat: String, Sendable, CaseIterable, ConfigurationValue {
    case json, text
    /// Text when standard error is a terminal, else JSON.
    case auto
}
