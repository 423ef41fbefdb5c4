import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

@testable import Simulator

@Suite("Many processes", .serialized, .timeLimit(.minutes(15)))
struct ProcessFlowTests {
    /// What a simulation must end with.
    private func expectZeros(_ report: SimulationFigures, orders: Int, at place: SourceLocation = #_sourceLocation) {
        #expect(report.orders == orders, "\(report)", sourceLocation: place)
        for (name, value) in report.zeros { #expect(value == 0, "\(name): \(report)", sourceLocation: place) }
        #expect(report.completed > orders / 3, "\(report)", sourceLocation: place)
        // Who is asked is told so, and each completed order tells both at each step.
        #expect(
            report.expected_notifications > report.orders + 5 * report.completed, "\(report)", sourceLocation: place)
    }

    @Test("O13: with two and with four dispatch processes nothing is lost, doubled or stuck", arguments: [2, 4])
    func processes(count: Int) async throws {
        try await Platform.withPlatform(dispatchProcesses: count) { platform in
            let report = try await simulate(platform, orders: 60, rate: 8)
            expectZeros(report, orders: 60)
        }
    }

    @Test("O13, O12: a dispatch process killed with -9 in the middle, and started again, loses and doubles nothing")
    func killed() async throws {
        try await Platform.withPlatform(dispatchProcesses: 2) { platform in
            async let simulated = simulate(platform, orders: 80, rate: 5, ["--tolerate-restarts"])
            // The people are registered first; the orders take sixteen seconds and more.
            try await eventually(within: .seconds(120), "orders are on their way", poll: .milliseconds(200)) {
                let desk = try await AdminDesk.signIn(platform)
                let orders: Items<AdminOrderView> = try await desk.phone.send(
                    .get("/admin/v1/markets/assef/orders?state=enRoute")
                ).decode()
                return !orders.items.isEmpty
            }
            for index in [0, 1] {
                try await platform.kill("dispatch", index)
                try await platform.restart("dispatch", index)
            }
            expectZeros(try await simulated, orders: 80)
        }
    }

    @Test("P2: a setting changed while two processes run holds in both within seconds, and is in the audit log")
    func settings() async throws {
        try await Platform.withPlatform(dispatchProcesses: 2) { platform in
            let desk = try await AdminDesk.signIn(platform)
            let earlier = try await desk.change(
                [.commissionBasisPoints: "2000", .acceptWindowSeconds: "33"], in: "assef")
            #expect(earlier == [.commissionBasisPoints: "1500", .acceptWindowSeconds: "120"])
            for address in platform.addresses["dispatch"] ?? [] {
                let network = PhoneNetwork(Endpoints(gateway: address), watch: try ServiceContracts.watch())
                let market = try await Phone(network).send(.get("/dispatch/v1/markets/assef").anonymous())
                try await network.shutdown()
                #expect(String(decoding: market.body, as: UTF8.self).contains("\"acceptWindowSeconds\":33"))
            }
            let pair = try await Pair.meet(on: platform)
            _ = try await pair.completed()
            #expect(try await pair.balances() == [0, Pair.total - Pair.total * 2_000 / 10_000])
            let audit = try await desk.phone.send(.get("/admin/v1/audit"))
            #expect(String(decoding: audit.body, as: UTF8.self).contains("commissionBasisPoints"))
            try await refuses(422) {
                try await desk.phone.set(.acceptWindowSeconds, to: "0", in: "assef")
            }
        }
    }

    private func simulate(
        _ platform: Platform, orders: Int, rate: Int, _ flags: [String] = []
    ) async throws -> SimulationFigures {
        let data = platform.temporaryFolder.appending(path: "pickups.csv")
        try Self.pickups(orders).write(to: data, atomically: true, encoding: .utf8)
        let out = platform.temporaryFolder.appending(path: "simulate.json")
        let urls = platform.addresses.flatMap { service, addresses in
            addresses.flatMap { ["--service-url", "\(service)=\($0)"] }
        }
        do {
            _ = try await platform.run(
                "Simulator",
                urls + [
                    "--sandbox-url", platform.sandbox, "--admin-login", platform.adminLogin, "--orders", "\(orders)",
                    "--rate", "\(rate)", "--data",
                    data.path(), "--out", out.path(), "--customers", "20", "--providers", "20",
                ] + flags, within: .seconds(240))
        } catch let failed as Program.Failed where FileManager.default.fileExists(atPath: out.path()) {
            print(failed)
        }
        return try JSONDecoder().decode(SimulationFigures.self, from: try Data(contentsOf: out))
    }

    /// Around the middle of New York, one each minute.
    static func pickups(_ count: Int) -> String {
        var generator = SplitMix(seed: 7)
        return (0..<count).map { number in
            let latitude = Double.random(in: 40.70...40.80, using: &generator)
            let longitude = Double.random(in: -74.02 ... -73.93, using: &generator)
            return "2014/4/1 \(number / 60):\(number % 60):00,\(latitude),\(longitude),B02512"
        }.joined(separator: "\n")
    }
}

/// The figures that the simulator has written, by their names in the file.
struct SimulationFigures: Decodable, CustomStringConvertible {
    let orders, completed, cancelled, expired, declined: Int
    let stuck, double_assigned, ledger_sum, held_at_end, money_off: Int
    let expected_notifications, lost_notifications, duplicate_notifications, mismatched_repeats, unreadable_events,
        not_placed: Int
    let server_errors: Int
    let findings, surprises: [String]

    var zeros: [(String, Int)] {
        [
            ("stuck", stuck), ("double_assigned", double_assigned), ("ledger_sum", ledger_sum),
            ("held_at_end", held_at_end), ("money_off", money_off), ("lost_notifications", lost_notifications),
            ("duplicate_notifications", duplicate_notifications), ("mismatched_repeats", mismatched_repeats),
            ("unreadable_events", unreadable_events), ("not_placed", not_placed), ("server_errors", server_errors),
        ]
    }

    var description: String {
        "\(orders) orders: \(completed) completed, \(cancelled) cancelled, \(expired) expired, \(declined) declined\n"
            + (findings + surprises).joined(separator: "\n")
    }
}
