import Foundation
import TestKit
import Testing

@testable import LocalPlatform

@Suite("The schedule of a drill")
struct ChaosTests {
    private static let processes = [
        "identity", "dispatch-1", "dispatch-2", "wallet", "notifications", "admin", "caddy",
    ]

    private func schedule(_ seed: UInt64, _ seconds: Int = 600) -> ChaosSchedule {
        ChaosSchedule(seed: seed, seconds: seconds, processes: Self.processes)
    }

    @Test("the same seed is the same schedule, and another seed another one")
    func seeds() {
        for seed in [UInt64(0), 1, 7, .max] { #expect(schedule(seed) == schedule(seed)) }
        #expect(Set((1...50).map { schedule($0).entries.map(\.second) }).count == 50)
    }

    @Test(
        "one seed's faults are some seconds apart in their lane, and healed before the end",
        arguments: 1...60 as ClosedRange<UInt64>)
    func lanes(seed: UInt64) {
        let entries = schedule(seed, 120).entries
        #expect(!entries.isEmpty)
        #expect(entries.map(\.second) == entries.map(\.second).sorted())
        for lane in ChaosSchedule.Lane.allCases {
            let own = entries.filter { $0.kind.lane == lane }
            for (first, second) in zip(own, own.dropFirst()) {
                #expect(second.second >= first.second + first.length + ChaosSchedule.pauses.lowerBound)
            }
        }
        for entry in entries {
            #expect(entry.second >= ChaosSchedule.quietBegin)
            #expect(entry.second + entry.length <= 120 - ChaosSchedule.quietEnd)
            #expect(entry.kind.lengths.contains(entry.length))
        }
    }

    @Test("among many seeds every fault comes, and every process is a target")
    func everything() {
        let all = (1...100).flatMap { schedule($0).entries }
        #expect(Set(all.map(\.kind)) == Set(ChaosSchedule.Kind.allCases))
        #expect(Set(all.filter { $0.kind == .kill }.map(\.target)) == Set(Self.processes))
        #expect(!all.contains { $0.kind == .clockSkew && $0.target == "caddy" })
        for entry in all where [.kill, .stop, .clockSkew, .databaseStall, .databaseCut].contains(entry.kind) {
            #expect(!entry.target.isEmpty)
        }
    }

    @Test("only the faults that are asked for are chosen")
    func chosen() {
        let some = ChaosSchedule(seed: 3, seconds: 600, processes: Self.processes, kinds: [.kill, .brokerCut])
        #expect(Set(some.entries.map(\.kind)) == [.kill, .brokerCut])
        let none = ChaosSchedule(seed: 3, seconds: 600, processes: Self.processes, kinds: [.stop]).entries
        #expect(none.allSatisfy { $0.kind == .stop } && !none.isEmpty)
    }

    @Test("too short a time has no fault")
    func short() { #expect(schedule(1, 10).entries.isEmpty) }

    @Test("W6: what the payment provider keeps is what the ledger has from outside, in each currency")
    func books() {
        let books = [(currency: "sar", kept: 1_200, held: 0), (currency: "AUD", kept: 0, held: 0)]
        #expect(ChaosChecks.compare(books, ledger: "SAR|1200").isRight)
        #expect(!ChaosChecks.compare(books, ledger: "SAR|1199").isRight)
        #expect(!ChaosChecks.compare(books, ledger: "SAR|1200\nSEK|5").isRight)
        #expect(!ChaosChecks.compare(books, ledger: "").isRight)
        #expect(!ChaosChecks.compare([(currency: "SAR", kept: 1_200, held: 7)], ledger: "SAR|1200").isRight)
    }

    @Test("queues of dead letters are told when something is in them, and others are not")
    func deadLetters() {
        let list = "wallet.events.dead\t0\nwallet.dead\t2\ndispatch.events\t5\ndispatch.events.parked\t1\n"
        #expect(ChaosChecks.deadLetters(list) == ["wallet.dead 2", "dispatch.events.parked 1"])
    }

    @Test("an answer is read by its length, or to the connection's end; one that was cut is none")
    func answers() {
        func parse(_ text: String) -> (status: Int, content: [UInt8])? { LoopbackHTTP.parse(Array(text.utf8)) }
        let whole = parse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        #expect(whole?.status == 200 && whole?.content == Array("{}".utf8))
        #expect(parse("HTTP/1.0 204 No Content\r\n\r\n")?.status == 204)
        #expect(parse("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}") == nil)
        #expect(parse("nonsense") == nil)
    }

    @Test("a drill is right when every check is, and tells which one is not")
    func result() {
        var result = ChaosResult(seed: 1, seconds: 60, faults: [])
        result.judge()
        #expect(!result.isRight)
        result.checks = [
            ChaosCheck(name: "a", isRight: true, found: ""), ChaosCheck(name: "b", isRight: true, found: ""),
        ]
        result.judge()
        #expect(result.isRight && result.failures.isEmpty)
        result.checks.append(ChaosCheck(name: "c", isRight: false, found: "x"))
        result.judge()
        #expect(!result.isRight && result.failures == ["c"])
    }
}
