import CoreMetrics
import Foundation
import SeraiJSON
import TestKit
import Testing

@testable import ServiceKit

/// Reads the text format as its specification says, independently of how it is written.
private struct Exposition {
    struct Sample: Equatable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Malformed: Error {
        let line: String
    }

    var types: [String: String] = [:]
    var helps: [String: String] = [:]
    var samples: [Sample] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(line: "no line feed at the end") }
        var finished: Set<String> = []
        var current = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") {
                guard words.count >= 3 else { throw Malformed(line: String(line)) }
                if words[2] != current {
                    // All lines of one metric have to stand together.
                    guard !finished.contains(words[2]) else { throw Malformed(line: "\(words[2]) comes back") }
                    finished.insert(current)
                    current = words[2]
                }
                if words[1] == "TYPE" {
                    guard types[words[2]] == nil, words.count == 4 else { throw Malformed(line: String(line)) }
                    types[words[2]] = words[3]
                } else {
                    helps[words[2]] = words.count == 4 ? words[3] : ""
                }
            } else {
                let sample = try Self.sample(line)
                guard Self.family(sample.name, types[current]) == current else { throw Malformed(line: String(line)) }
                guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
                    throw Malformed(line: "twice: \(line)")
                }
                samples.append(sample)
            }
        }
    }

    private static func family(_ name: String, _ type: String?) -> String {
        guard type == "histogram" else { return name }
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            return String(name.dropLast(suffix.count))
        }
        return name
    }

    private static func sample(_ line: Substring) throws -> Sample {
        var rest = line
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" })
        guard let first = name.first, !first.isNumber, name.allSatisfy(\.isASCII) else {
            throw Malformed(line: String(line))
        }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            while rest.first != "}" {
                let label = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                rest = rest.dropFirst(label.count)
                guard !label.isEmpty, rest.hasPrefix("=\"") else { throw Malformed(line: String(line)) }
                rest = rest.dropFirst(2)
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    switch rest.popFirst() {
                    case "n": value.append("\n")
                    case "\\": value.append("\\")
                    case "\"": value.append("\"")
                    default: throw Malformed(line: String(line))
                    }
                }
                guard labels.updateValue(value, forKey: label) == nil else { throw Malformed(line: String(line)) }
                if rest.first == "," { rest.removeFirst() }
                guard !rest.isEmpty else { throw Malformed(line: String(line)) }
            }
            rest.removeFirst()
        }
        guard rest.popFirst() == " " else { throw Malformed(line: String(line)) }
        let number = String(rest).replacing("+Inf", with: "inf")
        guard let value = Double(number) else { throw Malformed(line: String(line)) }
        return Sample(name: name, labels: labels, value: value)
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }
}

@Suite("Metrics")
struct PrometheusTests {
    @Test("counters, meters, gauges, recorders and timers are in the text format")
    func kinds() throws {
        let registry = PrometheusRegistry(descriptions: ["outbox.age": "Age of the oldest\nmessage \\ in seconds."])
        Counter(label: "broker.publishes", dimensions: [("queue", "a")], factory: registry).increment(by: 3)
        Counter(label: "broker.publishes", dimensions: [("queue", "b")], factory: registry).increment()
        FloatingPointCounter(label: "bytes.kilo", factory: registry).increment(by: 1.5)
        let meter = Meter(label: "outbox.age", factory: registry)
        meter.set(10)
        meter.decrement(by: 2.5)
        Gauge(label: "pool.size", factory: registry).record(7)
        let timer = Timer(label: "query.duration", factory: registry)
        timer.recordMilliseconds(3)
        timer.recordSeconds(100)
        Recorder(label: "batch.size", factory: registry).record(42)
        let text = try Exposition(registry.text())
        #expect(text.value("broker_publishes_total", ["queue": "a"]) == 3)
        #expect(text.value("broker_publishes_total", ["queue": "b"]) == 1)
        #expect(text.value("bytes_kilo_total") == 1.5)
        #expect(text.value("outbox_age") == 7.5)
        #expect(text.helps["outbox_age"] == "Age of the oldest\\nmessage \\\\ in seconds.")
        #expect(text.value("pool_size") == 7)
        #expect(text.types["query_duration_seconds"] == "histogram")
        #expect(text.value("query_duration_seconds_count") == 2)
        #expect(text.value("query_duration_seconds_sum") == 100.003)
        #expect(text.value("query_duration_seconds_bucket", ["le": "0.0025"]) == 0)
        #expect(text.value("query_duration_seconds_bucket", ["le": "0.005"]) == 1)
        #expect(text.value("query_duration_seconds_bucket", ["le": "10"]) == 1)
        #expect(text.value("query_duration_seconds_bucket", ["le": "+Inf"]) == 2)
        #expect(text.value("batch_size_bucket", ["le": "50"]) == 1)
        #expect(text.types["outbox_age"] == "gauge")
        #expect(text.types["broker_publishes_total"] == "counter")
    }

    @Test("names that already have the suffix keep it")
    func suffixes() throws {
        let registry = PrometheusRegistry()
        Counter(label: "postgres_statements_total", factory: registry).increment()
        Timer(label: "postgres_pool_wait_seconds", factory: registry).recordSeconds(1)
        let text = try Exposition(registry.text())
        #expect(text.value("postgres_statements_total") == 1)
        #expect(text.value("postgres_pool_wait_seconds_count") == 1)
    }

    @Test("hostile names and label values come out as valid text")
    func hostile() throws {
        var generator = SeededGenerator()
        let registry = PrometheusRegistry(limits: .init(families: 300, seriesPerFamily: 5))
        for _ in 0..<400 {
            let label = String(decoding: generator.bytes(0...20), as: UTF8.self)
            let dimensions = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (
                    String(decoding: generator.bytes(0...6), as: UTF8.self),
                    generator.text(0...30, from: "ab\"\\\n{},= ü\u{0}")
                )
            }
            switch Int.random(in: 0...3, using: &generator) {
            case 0: Counter(label: label, dimensions: dimensions, factory: registry).increment()
            case 1: Meter(label: label, dimensions: dimensions, factory: registry).set(Double.random(in: -1...1))
            case 2: Timer(label: label, dimensions: dimensions, factory: registry).recordSeconds(1)
            default: Recorder(label: label, dimensions: dimensions + [("le", "1")], factory: registry).record(3)
            }
        }
        #expect(throws: Never.self, "\(generator)") { try Exposition(registry.text()) }
    }

    @Test("a label that never ends does not fill the memory: the rest is counted together")
    func cardinality() throws {
        let registry = PrometheusRegistry(limits: .init(families: 10, seriesPerFamily: 3))
        for index in 0..<100 {
            Counter(label: "requests", dimensions: [("path", "/\(index)")], factory: registry).increment()
        }
        let text = try Exposition(registry.text())
        let series = text.samples.filter { $0.name == "requests_total" }
        #expect(series.count == 4)
        #expect(series.map(\.value).reduce(0, +) == 100)
        #expect(text.value("requests_total", ["overflow": "true"]) == 97)
    }

    @Test("a name that another kind has is not shown, and that is counted")
    func conflict() throws {
        let registry = PrometheusRegistry()
        Counter(label: "thing", factory: registry).increment()
        Meter(label: "thing_total", factory: registry).set(5)
        Timer(label: "wait", factory: registry).recordSeconds(1)
        Meter(label: "wait_seconds_count", factory: registry).set(1)
        let text = try Exposition(registry.text())
        #expect(text.value("thing_total") == 1)
        #expect(text.value("metrics_rejected_total") == 2)
    }

    @Test("the same label and dimensions count together, in any order of dimensions")
    func sameSeries() throws {
        let registry = PrometheusRegistry()
        Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment()
        Counter(label: "c", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment()
        #expect(try Exposition(registry.text()).value("c_total", ["a": "1", "b": "2"]) == 2)
    }

    @Test("many threads count exactly")
    func threads() async throws {
        let registry = PrometheusRegistry()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "c", factory: registry)
                    let floating = FloatingPointCounter(label: "f", factory: registry)
                    let meter = Meter(label: "m", factory: registry)
                    let timer = Timer(label: "t", factory: registry)
                    for _ in 0..<1_000 {
                        counter.increment()
                        floating.increment(by: 0.5)
                        meter.increment(by: 1)
                        timer.recordMilliseconds(1)
                    }
                }
            }
        }
        let text = try Exposition(registry.text())
        #expect(text.value("c_total") == 8_000)
        #expect(text.value("f_total") == 4_000)
        #expect(text.value("m") == 8_000)
        #expect(text.value("t_seconds_count") == 8_000)
    }

    @Test("the process's own figures are there")
    func process() throws {
        let text = try Exposition(PrometheusRegistry().text())
        #expect((text.value("process_resident_memory_bytes") ?? 0) > 1_000_000)
        #expect((text.value("process_open_fds") ?? 0) > 0)
        #expect(text.value("process_max_fds") ?? 0 >= text.value("process_open_fds") ?? 1)
        let age = Date().timeIntervalSince1970 - (text.value("process_start_time_seconds") ?? 0)
        // /proc counts in hundredths and from the second of the machine's start.
        #expect((-2...86_400).contains(age))
    }
}
