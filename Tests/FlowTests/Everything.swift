import AMQP
import AsyncHTTPClient
import Contracts
import Foundation
import Logging
import Messaging
import NIOCore
import Phones
import Postgres
import Synchronization
import TestKit

/// Hears every message that passes the broker.
final class EverythingHeard: Sendable {
    private static let queue = "flow.everything"
    private static let services = ["identity", "dispatch", "wallet", "notifications", "admin"]

    /// What services tell, whatever it is, and each command that one may ask of another.
    private static var topology: Topology {
        let commands = AllMessages.types.filter { $0.kind == .command }.map { $0.name }
        return Topology(
            exchanges: services.flatMap { [Exchange($0, .topic), Exchange("\($0).commands", .direct)] },
            queues: [.quorum(queue)],
            bindings: services.map { Binding(queue: queue, exchange: $0, routingKey: "#") }
                + commands.map { Binding(queue: queue, exchange: "\($0.service).commands", routingKey: $0.text) })
    }

    private let bodies = Mutex<[String]>([])

    /// Each with its name in front.
    var texts: [String] { bodies.withLock { $0 } }

    static func during(_ host: VirtualHost, _ body: (EverythingHeard) async throws -> Void) async throws {
        let logger = Logger(label: "everything") { _ in SwiftLogNoOpLogHandler() }
        let consumer = Consumer(
            try AMQPConfiguration(url: host.url, connectionName: "everything"), queue: queue, topology: topology,
            logger: logger)
        let heard = EverythingHeard()
        let running = Task { try await consumer.run() }
        let hearing = Task { await heard.hear(consumer) }
        var failure: (any Error)?
        do { try await body(heard) } catch { failure = error }
        hearing.cancel()
        await consumer.drain(within: .seconds(1))
        await hearing.value
        _ = await running.result
        if let failure { throw failure }
    }

    private func hear(_ consumer: Consumer) async {
        // try?: cancelled, or the connection is gone at the end.
        while !Task.isCancelled, let batch = try? await consumer.nextBatch(upTo: 64), !batch.isEmpty {
            bodies.withLock { bodies in
                bodies += batch.map { delivery in
                    "\(delivery.routingKey) \(delivery.properties.headers) \(String(decoding: delivery.body, as: UTF8.self))"
                }
            }
            consumer.ack(batch.map(\.tag))
        }
    }
}

/// Every row of every table of every service.
enum EverythingStored {
    static func rows(_ database: TestDatabase) async throws -> [String] {
        try await database.withPool { pool in
            try await pool.withTransaction { transaction in
                try await transaction.execute(MakeDump())
                var rows: [String] = []
                for (schema, table) in try await transaction.query(ListTables()) {
                    rows += try await transaction.query(Dump(schema: schema, table: table))
                        .map { "\(schema).\(table) \($0)" }
                }
                return rows
            }
        }
    }

    private struct ListTables: Statement {
        static let sql: SQL = """
            SELECT table_schema::text, table_name::text FROM information_schema.tables
            WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> (String, String) {
            (try row.next(), try row.next())
        }
    }

    /// A function of this session that reads any table.
    private struct MakeDump: Statement {
        static let sql: SQL = """
            CREATE OR REPLACE FUNCTION pg_temp.dump(name text) RETURNS SETOF text LANGUAGE plpgsql AS
            'BEGIN RETURN QUERY EXECUTE ''SELECT t::text FROM '' || name || '' AS t''; END'
            """
    }

    /// Each row as text; bytes are in hexadecimal digits.
    private struct Dump: Statement {
        static let sql: SQL = "SELECT pg_temp.dump(format('%I.%I', $1, $2))"
        let schema: String
        let table: String
        func bind(_ bindings: inout Bindings) { bindings.append(schema, table) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }
}

/// A text that must be nowhere, in the forms in which it could be.
struct Secret {
    let text: String
    /// Its forms as bytes: in hexadecimal digits and in base 64.
    private let encodings: [[UInt8]]

    init(text: String) {
        self.text = text
        let hexadecimal = text.utf8.map { String($0, radix: 16) }.joined()
        encodings = ([hexadecimal, hexadecimal.uppercased()] + Self.base64(text)).map { Array($0.utf8) }
    }

    /// True if a text has the secret as it is, in hexadecimal digits or in base 64. A short secret counts only when it
    /// stands by itself: not as some digits of a longer number, an identifier or a time.
    func isIn(_ other: String) -> Bool {
        // The search runs over hundreds of thousands of lines.
        if encodings.contains(where: { Self.finds($0, in: other) }) { return true }
        guard Self.finds(Array(text.utf8), in: other) else { return false }
        if text.count > 8 { return true }
        let rest = other.replacing(Self.identifier, with: " ").replacing(Self.time, with: " ")
            .replacing(Self.fraction, with: " ")
        return rest.ranges(of: text).contains { range in
            let before = range.lowerBound == rest.startIndex ? nil : rest[rest.index(before: range.lowerBound)]
            let after = range.upperBound == rest.endIndex ? nil : rest[range.upperBound]
            return ![before, after].contains { $0?.isLetter == true || $0?.isNumber == true }
        }
    }

    private static func finds(_ bytes: [UInt8], in other: String) -> Bool {
        var other = other
        return other.withUTF8 { text in
            guard let start = text.baseAddress, let first = bytes.first else { return false }
            var place = 0
            while text.count - place >= bytes.count,
                let next = memchr(start + place, Int32(first), text.count - bytes.count - place + 1)
            {
                if memcmp(next, bytes, bytes.count) == 0 { return true }
                place = UnsafeRawPointer(next) - UnsafeRawPointer(start) + 1
            }
            return false
        }
    }

    /// What base 64 makes of it, wherever in a longer text it stands. Of a short one only the whole, since a few letters
    /// are in any token.
    private static func base64(_ text: String) -> [String] {
        let whole = Data(text.utf8).base64EncodedString()
        guard text.count > 8 else { return [whole, "\"\(whole.filter { $0 != "=" })\""] }
        return (0..<3).map { shift in
            let encoded = Data([UInt8](repeating: 0, count: shift) + Array(text.utf8)).base64EncodedString()
            // What its neighbours have a part in is cut off.
            return String(encoded.filter { $0 != "=" }.dropFirst(shift == 0 ? 0 : shift + 1).dropLast())
        }
    }

    // A regex of literals has no state that matching changes; making one costs more than the match.
    private nonisolated(unsafe) static let identifier = /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
    private nonisolated(unsafe) static let time = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?/
    private nonisolated(unsafe) static let fraction = /\d+\.\d+/
}
