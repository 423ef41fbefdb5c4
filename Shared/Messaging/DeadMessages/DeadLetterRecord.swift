import AMQP
import Foundation
import SeraiJSON

/// A dead letter as it is kept. What any sender can write is cut to what a column takes.
struct DeadLetterRecord: Sendable, Equatable {
    static let textLimit = 1_000

    let id: UUID
    let queue: String
    let message: UUID?
    let name: String?
    let aggregate: String?
    let producer: String?
    let causation: UUID?
    let traceparent: String?
    let requestID: String?
    let occurredAt: Date?
    let failedAt: Date
    let reason: String
    let failures: Int?
    let isForeign: Bool
    let decisions: Int
    let body: [UInt8]

    /// - Parameters:
    ///   - deadQueue: where it lay.
    ///   - queues: the service's own, by their queues of dead letters. The broker's dead letters name theirs.
    init(_ delivery: Delivery, from deadQueue: String, of queues: [String], now: Date) {
        let (properties, headers) = (delivery.properties, delivery.properties.headers)
        let byRunner = queues.first { ServiceTopology.deadQueue(of: $0) == deadQueue }
        let named = headers.string(Envelope.Header.firstDeathQueue)
        id = .timeOrdered()
        // Of one that the broker gave up, and that names none of ours, nobody knows where it belongs.
        queue = byRunner ?? queues.first { Self.is($0, named) } ?? deadQueue
        message = properties.messageID.flatMap { WireID.parse($0) }
        name = Self.clean(properties.type)
        aggregate = Self.clean(properties.correlationID)
        producer = Self.clean(properties.appID)
        causation = headers.string(Envelope.Header.causation).flatMap { WireID.parse($0) }
        traceparent = Self.clean(headers.string(Envelope.Header.traceparent))
        requestID = Self.clean(headers.string(Envelope.Header.requestID))
        // Within what the database can hold, whatever the header says.
        occurredAt = properties.timestampSeconds.map { Date(timeIntervalSince1970: Double(min($0, 253_402_300_799))) }
        let isRunners = byRunner != nil
        failedAt =
            isRunners ? headers.string(Envelope.Header.failedAt).flatMap { min(Self.time($0) ?? now, now) } ?? now : now
        let brokers = headers.string(Envelope.Header.firstDeathReason) ?? "without a reason"
        reason =
            Self.clean(isRunners ? headers.string(Envelope.Header.reason) : "the broker gave it up: \(brokers)")
            ?? "without a reason"
        failures = isRunners ? min(max(1, headers.integer(Envelope.Header.failures)), 1_000) : nil
        isForeign = headers[Envelope.Header.foreign] == .bool(true)
        decisions = min(max(0, headers.integer(Envelope.Header.decisions)), 1_000_000)
        body = delivery.body
    }

    /// Whether the broker means the queue, or one of those in which its messages wait for their next try.
    private static func `is`(_ queue: String, _ named: String?) -> Bool {
        named == queue || named?.hasPrefix("\(queue).") == true
    }

    private static func time(_ text: String) -> Date? {
        // try?: a header that any sender can write.
        try? Date(text, strategy: .iso8601)
    }

    private static func clean(_ text: String?) -> String? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars.prefix(textLimit).filter { $0 != "\0" }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }
}
