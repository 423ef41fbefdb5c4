import Contracts
import Foundation
import SeraiJSON

@testable import AMQP
@testable import Messaging

extension Parser {
    /// The body of each message that there is.
    static let messages = Parser(name: "messages", seeds: "../ContractTests/Golden") { bytes in
        for type in AllMessages.types { try again(type, bytes) }
    }

    private static func again<M: Message>(_ type: M.Type, _ bytes: [UInt8]) throws {
        guard let message = try? JSON.wire.decode(M.self, bytes) else { return }
        let written = try JSON.wire.encode(message)
        let again = try JSON.wire.decode(M.self, written)
        try same(try JSON.wire.encode(again), written)
        try require(again.aggregate == message.aggregate, "\(M.name) is of another aggregate")
    }

    /// What stands around a message, a line each, as any sender may write it.
    static let envelopes = Parser(name: "envelopes") { bytes in
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { text($0) }
        func line(_ index: Int) -> String? { index < lines.count && !lines[index].isEmpty ? lines[index] : nil }
        func number(_ index: Int) -> HeaderValue { .int(line(index).flatMap { Int64($0) } ?? 0) }
        let header = Envelope.Header.self
        var headers: [String: HeaderValue] = [
            header.attempts: number(8), header.delays: number(9), header.unknownSince: number(10),
            header.failures: number(11), header.decisions: number(12),
        ]
        let texts = [
            header.causation, header.traceparent, header.requestID, header.failedAt, header.reason,
            header.firstDeathQueue, header.firstDeathReason,
        ]
        for (index, name) in texts.enumerated() { headers[name] = line(13 + index).map { .string($0) } }
        let delivery = Delivery(
            tag: DeliveryTag(epoch: 1, number: 1), exchange: line(6) ?? "", routingKey: line(7) ?? "",
            isRedelivered: false,
            properties: MessageProperties(
                messageID: line(0), type: line(1), timestampSeconds: line(2).flatMap { UInt64($0) },
                correlationID: line(3), appID: line(4), headers: headers),
            body: bytes)
        if let envelope = Envelope(delivery) {
            try require((0...1_000).contains(envelope.failedAttempts), "\(envelope.failedAttempts) attempts")
            try require((0...1_000).contains(envelope.delays), "\(envelope.delays) delays")
            try trace(envelope.traceparent, line(20))
        }
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for queue in ["wallet.dead", "other"] {
            let record = DeadLetterRecord(delivery, from: queue, of: ["wallet"], now: now)
            let texts = [record.name, record.aggregate, record.producer, record.requestID, record.reason]
            for text in texts.compactMap({ $0 }) {
                try require(
                    text.unicodeScalars.count <= DeadLetterRecord.textLimit + 40 && !text.contains("\0"),
                    "a column cannot take it: \(text.debugDescription)")
            }
            try require(record.failedAt <= now, "it failed at \(record.failedAt)")
        }
        if let name = MessageName(parsing: line(1) ?? "") {
            try require(name.text == line(1) && !name.service.isEmpty, "another name: \(name)")
        }
    }

    private static func trace(_ parent: String?, _ state: String?) throws {
        guard let parent, let trace = TraceContext(traceparent: parent, tracestate: state) else { return }
        let again = TraceContext(traceparent: trace.traceparent, tracestate: trace.tracestate)
        try require(again == trace, "\(parent) is written as \(trace.traceparent)")
    }
}
