public import AMQP
public import Foundation

/// What is known of a message besides its payload; carried in AMQP's properties.
public struct Envelope: Sendable, Equatable {
    /// The same however often the message is repeated.
    public let id: UUID
    public let name: String
    /// The service that published it.
    public let producer: String
    /// To the second, as AMQP has it.
    public let occurredAt: Date
    /// The order or other thing it is about.
    public let correlation: String?
    /// The message that caused this one.
    public let causation: UUID?
    public let traceparent: String?
    /// The HTTP request that began it all.
    public let requestID: String?
    /// How often handling it has failed before; 0 to 1 000, whatever a speaker claims.
    public let failedAttempts: Int
    /// How often it has waited in a queue for no fault of its own; 0 to 1 000.
    public let delays: Int
    /// Since when no process has known its name; nil if that is not so.
    let unknownSince: Date?
    private static let attemptsLimit = 1_000

    /// - Returns: nil when the message has no id or no name, so it is none of ours.
    public init?(_ delivery: Delivery) {
        let properties = delivery.properties
        guard let id = properties.messageID.flatMap({ WireID.parse($0) }), let name = properties.type else {
            return nil
        }
        self.id = id
        self.name = name
        self.producer = properties.appID ?? ""
        self.occurredAt = Date(timeIntervalSince1970: Double(properties.timestampSeconds ?? 0))
        self.correlation = properties.correlationID
        self.causation = properties.headers.string(Header.causation).flatMap { WireID.parse($0) }
        self.traceparent = properties.headers.string(Header.traceparent)
        self.requestID = properties.headers.string(Header.requestID)
        self.failedAttempts = min(max(0, properties.headers.integer(Header.attempts)), Self.attemptsLimit)
        self.delays = min(max(0, properties.headers.integer(Header.delays)), Self.attemptsLimit)
        let unknownSince = properties.headers.integer(Header.unknownSince)
        self.unknownSince = unknownSince > 0 ? Date(timeIntervalSince1970: Double(unknownSince)) : nil
    }

    /// Header names.
    enum Header {
        static let causation = "causation_id"
        static let traceparent = "traceparent"
        static let requestID = "request_id"
        static let attempts = "x-failed-attempts"
        static let delays = "x-delays"
        static let unknownSince = "x-unknown-since"
        static let reason = "x-reason"
        static let consumer = "x-consumer"
        static let failedAt = "x-failed-at"
    }
}

extension [String: HeaderValue] {
    func string(_ key: String) -> String? {
        if case .string(let text) = self[key] { text } else { nil }
    }

    func integer(_ key: String) -> Int {
        if case .int(let number) = self[key] { Int(number) } else { 0 }
    }
}

extension Envelope {
    /// Runs `body` as the next step of the trace and of the request that the message belongs to, so that its log lines
    /// and messages name them.
    func withTrace(_ body: () async throws -> Void) async throws {
        let trace = traceparent.flatMap { TraceContext(traceparent: $0)?.child() }
        guard trace != nil || requestID != nil else { return try await body() }
        try await TraceContext.$current.withValue(trace) {
            try await TraceContext.$currentRequestID.withValue(requestID) { try await body() }
        }
    }
}
