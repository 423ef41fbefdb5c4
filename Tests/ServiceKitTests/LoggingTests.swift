import Foundation
import Logging
import Messaging
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

/// A pipe that log lines are written to and read back from.
private struct LogPipe {
    let pipe = Pipe()
    var sink: LogSink { LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor) }

    /// Closes the writing end and reads what is there.
    func lines() throws -> [String] {
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite("Logs")
struct LoggingTests {
    private func object(_ line: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    }

    @Test("a JSON line has time, level, service, message and the metadata, flat")
    func json() throws {
        let pipe = LogPipe()
        let handler = ServiceLogHandler(service: "dispatch", format: .json, sink: pipe.sink)
        let logger = Logger(label: "test") { _ in handler }
        logger.info(
            "order \"accepted\"\n", metadata: [LogKeys.orderID: "o-1", "nested": ["a": "1", "b": ["x", "y"]]])
        let line = try object(try #require(try pipe.lines().first))
        #expect(line["level"] == "info")
        #expect(line["service"] == "dispatch")
        #expect(line["message"] == "order \"accepted\"\n")
        #expect(line["order.id"] == "o-1")
        #expect(line["nested.a"] == "1")
        #expect(line["nested.b.1"] == "y")
        #expect(Timestamp.parse(line["time"] ?? "") != nil)
    }

    @Test("values whose names are secret are never written, however they are passed")
    func redaction() throws {
        let pipe = LogPipe()
        let handler = ServiceLogHandler(service: "wallet", format: .json, sink: pipe.sink)
        var logger = Logger(label: "test") { _ in handler }
        logger[metadataKey: "authorization"] = "SECRET"
        let names = [
            "password", "newPassword", "access_token", "refresh.token", "card.number", "cvv", "phone", "CARD_PAN",
            "apiKey", "clientSecret", "user.mobile",
        ]
        for name in names { logger.info("m", metadata: ["\(name)": "SECRET"]) }
        logger.info("m", metadata: ["body": ["password": "SECRET", "list": [["cvv": "SECRET"]]]])
        logger.info("m", metadata: ["value": "\(Redacted("SECRET"))"])
        let lines = try pipe.lines()
        #expect(lines.count == names.count + 2)
        for line in lines { #expect(!line.contains("SECRET"), "\(line)") }
    }

    @Test("ordinary names are not hidden")
    func notHidden() {
        let redaction = LogRedaction()
        for name in ["order.id", "http.route", "duration.ms", "pinned", "discard", "tokenizer", "company"] {
            #expect(!redaction.hides(name), "\(name)")
        }
    }

    @Test("a name is judged alike each time, and also when more names were seen than are remembered")
    func judgedAgain() {
        let redaction = LogRedaction(additionalWords: ["harbour"])
        for number in 0...LogRedaction.knownLimit { #expect(!redaction.hides("name.\(number)")) }
        for _ in 0..<2 {
            #expect(redaction.hides("harbour.name"))
            #expect(redaction.hides("cardNumber"))
            #expect(!redaction.hides("name.0"))
        }
        #expect(!LogRedaction().hides("harbour.name"))
    }

    @Test("request id and trace come from HTTP through tasks to every line")
    func workMetadata() async throws {
        let pipe = LogPipe()
        let handler = ServiceLogHandler(service: "dispatch", format: .json, sink: pipe.sink)
        let logger = Logger(label: "test") { _ in handler }
        let trace = TraceContext.generate()
        await TraceContext.$current.withValue(trace) {
            await TraceContext.$currentRequestID.withValue("request-1") {
                await Task { logger.info("inside") }.value
            }
        }
        let line = try object(try #require(try pipe.lines().first))
        #expect(line["trace.id"] == trace.traceID.description)
        #expect(line["span.id"] == trace.spanIDText)
        #expect(line["request.id"] == "request-1")
    }

    @Test("lines of many threads do not mix", .timeLimit(.minutes(15)))
    func threads() async throws {
        let pipe = LogPipe()
        let handler = ServiceLogHandler(service: "s", format: .json, sink: pipe.sink)
        let logger = Logger(label: "test") { _ in handler }
        let reading = Task.detached { try pipe.pipe.fileHandleForReading.readToEnd() ?? Data() }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<200 {
                        logger.info(
                            "m", metadata: ["n": "\(task)-\(index)", "long": "\(String(repeating: "x", count: 5_000))"])
                    }
                }
            }
        }
        try pipe.pipe.fileHandleForWriting.close()
        let lines = String(decoding: try await reading.value, as: UTF8.self).split(separator: "\n")
        #expect(Set(try lines.map { try object(String($0))["n"] }).count == 1_600)
    }

    @Test("a line is one line of valid JSON whatever is put into it")
    func hostileValues() throws {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            let value = String(decoding: generator.bytes(0...200), as: UTF8.self)
            let line = LogLine(
                time: .now(), level: .info, service: "s", message: value,
                metadata: [("key", value), ("message", value)])
            let bytes = line.json
            #expect(bytes.filter { $0 == 0x0a }.count == 1)
            let object = try JSONDecoder().decode([String: String].self, from: Data(bytes))
            #expect(object["key"] == value, "\(generator)")
            #expect(object["metadata.message"] == value)
            #expect(line.text.filter { $0 < 0x20 } == [0x0a])
        }
    }

    @Test("a line that is too long is cut and stays JSON")
    func long() throws {
        let value = String(repeating: "ü", count: 50_000)
        let line = LogLine(
            time: .now(), level: .info, service: "s", message: value, metadata: [("a", value), ("b", "1")])
        #expect(line.json.count <= LogLine.maximumBytes + 100)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(line.json))["log.cut"] == "true")
        #expect(line.text.count <= LogLine.maximumBytes + 10)
    }

    @Test(
        "times are RFC 3339 in UTC",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.007Z"), (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"), (1_772_323_199, "2026-02-28T23:59:59.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"), (-1, "1969-12-31T23:59:59.007Z"),
        ])
    func times(seconds: Int64, text: String) {
        #expect(LogTime(secondsSince1970: seconds, milliseconds: 7).text == text)
    }

    @Test("the level and the metadata of a logger are values")
    func values() {
        var first = Logger(label: "a") { _ in ServiceLogHandler(service: "s", format: .json) }
        var second = first
        first.logLevel = .debug
        second.logLevel = .error
        first[metadataKey: "k"] = "1"
        second[metadataKey: "k"] = "2"
        #expect(first.logLevel == .debug)
        #expect(first[metadataKey: "k"] == "1")
    }
}
