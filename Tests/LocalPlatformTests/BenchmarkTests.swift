import Foundation
import Testing

@testable import BenchResults
@testable import LocalPlatform

@Suite("What benchmarks say of processes and of earlier runs")
struct BenchmarkTests {
    @Test("what a process has used is read from the kernel's line, whatever its program is called")
    func use() {
        let line =
            "4711 (a (b) c) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 20 30 20 0 8 0 12345 1000000 2048 18446744073709551615 1"
        let use = ProcessUse.read(stat: line, ticks: 100, pageBytes: 4_096)
        #expect(use == ProcessUse(milliseconds: 3_500, megabytes: 8.388608))
        #expect(ProcessUse.read(stat: "4711 (a) S 1", ticks: 100, pageBytes: 4_096) == nil)
    }

    @Test("this process has used something")
    func own() throws {
        let own = try #require(RunningProcess(getpid()))
        let use = try #require(ProcessUse.of(own))
        #expect(use.megabytes > 1)
    }

    @Test("a rate that fell and a time that rose are worse; the other way round, and noise, are not")
    func regressions() {
        let before = [
            "orders_per_second": 20.0, "wait_p99_ms": 50, "orders_ratio": 0.03, "rounds": 5, "x_mb_wallet": 40,
        ]
        func worse(_ now: [String: Double]) -> [String] {
            Comparison(before: before, now: now).regressions.map(\.name)
        }
        #expect(worse(["orders_per_second": 10, "wait_p99_ms": 49]) == ["orders_per_second"])
        #expect(worse(["orders_per_second": 40, "wait_p99_ms": 90]) == ["wait_p99_ms"])
        #expect(worse(["orders_per_second": 18, "wait_p99_ms": 56, "orders_ratio": 0.028]).isEmpty)
        #expect(worse(["x_mb_wallet": 80]) == ["x_mb_wallet"])
        // Neither better nor worse, and what was not measured before.
        #expect(worse(["rounds": 1, "new_ms": 7]).isEmpty)
        #expect(worse(["orders_per_second": 1, "wait_p99_ms": 70]) == ["orders_per_second", "wait_p99_ms"])
    }

    @Test("figures are read from a list of them, and from a file with numbers of any depth")
    func figures() {
        let list = ["rounds": 3, "figures": [["name": "a_ms", "value": 1.5], ["name": "b_ms"]]] as [String: Any]
        #expect(Comparison.numbers(list) == ["a_ms": 1.5])
        let tree = ["a": 2, "b": ["p50": 3.5, "text": "x"], "c": [1, 2]] as [String: Any]
        #expect(Comparison.numbers(tree) == ["a": 2, "b.p50": 3.5])
    }
}
