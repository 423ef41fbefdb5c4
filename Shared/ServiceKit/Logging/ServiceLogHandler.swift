public import Logging
import Messaging

/// Writes log entries as JSON lines or as text, see ``LogLine``. Values whose names ``LogRedaction`` hides are never
/// written; neither is anything of type ``Redacted``.
///
/// Every line has `trace.id`, `span.id` and `request.id` of its work, when there is one.
public struct ServiceLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    public var metadataProvider: Logger.MetadataProvider?

    private let service: String
    private let isJSON: Bool
    private let sink: LogSink
    private let redaction: LogRedaction

    public init(
        service: String, level: Logger.Level = .info, format: LogFormat = .auto, sink: LogSink = .standardError,
        redaction: LogRedaction = LogRedaction()
    ) {
        self.service = service
        self.logLevel = level
        self.isJSON = format == .json || (format == .auto && !sink.isTerminal)
        self.sink = sink
        self.redaction = redaction
        self.metadataProvider = Self.workMetadata
    }

    /// The metadata of the current work from the task-local values of ``TraceContext``.
    public static let workMetadata = Logger.MetadataProvider {
        var metadata: Logger.Metadata = [:]
        if let trace = TraceContext.current {
            metadata[LogKeys.traceID] = "\(trace.traceID)"
            metadata[LogKeys.spanID] = "\(trace.spanIDText)"
        }
        if let requestID = TraceContext.currentRequestID { metadata[LogKeys.requestID] = "\(requestID)" }
        return metadata
    }

    public subscript(metadataKey name: String) -> Logger.Metadata.Value? {
        get { metadata[name] }
        set { metadata[name] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadataProvider?.get() ?? [:]
        all.merge(metadata) { _, own in own }
        if let added = event.metadata { all.merge(added) { _, new in new } }
        if let error = event.error, all[LogKeys.error] == nil { all[LogKeys.error] = "\(error)" }
        var flat: [(name: String, value: String)] = []
        for (name, value) in all { flatten(value, name: name, into: &flat) }
        flat.sort { $0.name < $1.name }
        let line = LogLine(
            time: .now(), level: event.level, service: service, message: event.message.description, metadata: flat)
        sink.write(isJSON ? line.json : line.text)
    }

    private func flatten(_ value: Logger.MetadataValue, name: String, into flat: inout [(name: String, value: String)])
    {
        guard !redaction.hides(name) else {
            flat.append((name, LogRedaction.placeholder))
            return
        }
        switch value {
        case .string(let text): flat.append((name, text))
        case .stringConvertible(let convertible): flat.append((name, convertible.description))
        case .dictionary(let members):
            for (member, value) in members { flatten(value, name: name + "." + member, into: &flat) }
        case .array(let elements):
            for (index, value) in elements.enumerated() { flatten(value, name: "\(name).\(index)", into: &flat) }
        }
    }
}
