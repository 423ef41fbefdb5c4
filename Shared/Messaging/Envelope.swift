public import AMQP
public import Foundation
import SeraiJSON

/// The data of a message beside its payload, carried in AMQP's properties.
public struct Envelope: Sendable, Equatable {
    /// The same for all repeats of a message.
    public let id: UUID
    public let name: String
    /// The service that published it.
    public let producer: String
    /// In whole seconds, as AMQP has it.
    public let occurredAt: Date
    /// The order or other aggregate that it is about.
    public let correlation: String?
    /// The message that caused this one.
    public let causation: UUID?
    public let traceparent: String?
    /// The HTTP request at the beginning of the chain.
    public let requestID: String?
    /// The number of failed handlings before; 0 to 1 000, whatever the header says.
    public let failedAttempts: Int
    /// The number of waits in a queue that were not the message's fault; 0 to 1 000.
    public let delays: Int
    /// Since when no process has known its name; nil if a process knows it.
    let unknownSince: Date?
    private static let attemptsLimit = 1_000

    /// - Returns: nil for a message without id or name: it is not one of ours.
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

    /// Names of headers.
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
        static let failures = "x-failures"
        /// Of a dead letter that came by another service's exchange.
        static let foreign = "x-foreign"
        /// How often somebody decided about this message while it was dead.
        static let decisions = "x-decisions"
        /// Written by the broker into what it gives up itself.
        static let firstDeathQueue = "x-first-death-queue"
        static let firstDeathReason = "x-first-death-reason"
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
    /// Runs `body` as the next step of the message's trace and request, so that its log lines and messages carry their
    /// ids.
    func withTrace(_ body: () async throws -> Void) async throws {
        let trace = traceparent.flatMap { TraceContext(traceparent: $0)?.child() }
        guard trace != nil || requestID != nil else { return try await body() }
        try await TraceContext.$current.withValue(trace) {
            try await TraceContext.$currentRequestID.withValue(requestID) { try await body() }
        }
    }
}
