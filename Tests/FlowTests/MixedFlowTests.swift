import Foundation
import TestKit
import Testing

@testable import Simulator

@Suite("All markets at once", .serialized, .timeLimit(.minutes(15)))
struct MixedFlowTests {
    private struct Figures: Decodable {
        struct Part: Decodable {
            let market: String
            let orders, completed: Int
            let findings, surprises: [String]
        }

        let wishes: [String: Int]
        let markets: [Part]
        let zeros: [String: Int]
        let orders: Int
    }

    @Test(
        "O13, W6, N3: people of all markets at once: every order ends, money is where it belongs, each notice is there once"
    )
    func all() async throws {
        try await Platform.withPlatform(dispatchProcesses: 2) { platform in
            let figures = try await simulate(platform, wishes: 80)
            let told = figures.markets.flatMap { $0.findings + $0.surprises }.joined(separator: "\n")
            for (name, value) in figures.zeros { #expect(value == 0, "\(name)\n\(told)") }
            for wish in Wish.allCases { #expect(figures.wishes[wish.rawValue] ?? 0 > 0, "\(wish)") }
            for part in figures.markets {
                #expect(
                    part.completed * 3 > part.orders, "\(part.market): \(part.completed) of \(part.orders)\n\(told)")
            }
            #expect(figures.orders >= 80, "\(told)")
        }
    }

    private func simulate(_ platform: Platform, wishes: Int) async throws -> Figures {
        let folder = platform.temporaryFolder
        let (data, meals) = (folder.appending(path: "pickups.csv"), folder.appending(path: "meals.csv"))
        try ProcessFlowTests.pickups(wishes).write(to: data, atomically: true, encoding: .utf8)
        try
            "B379,B1,34,4.5,12.913041,77.683237,13.043041,77.813237,Snack\nB380,B2,30,4.1,12.95,77.70,12.97,77.72,Meal\n"
            .write(to: meals, atomically: true, encoding: .utf8)
        let out = folder.appending(path: "simulate.json")
        let urls = platform.addresses.flatMap { service, addresses in
            addresses.flatMap { ["--service-url", "\(service)=\($0)"] }
        }
        do {
            _ = try await platform.run(
                "Simulator",
                urls + [
                    "--market", "all", "--sandbox-url", platform.sandbox, "--admin-login", platform.adminLogin,
                    "--orders", "\(wishes)", "--rate", "2", "--data", data.path(), "--meals", meals.path(), "--out",
                    out.path(), "--customers", "20", "--providers", "20", "--seed", "\(Self.seed)",
                ], within: .seconds(600))
        } catch let failed as Program.Failed where FileManager.default.fileExists(atPath: out.path()) {
            print(failed)
        }
        return try JSONDecoder().decode(Figures.self, from: try Data(contentsOf: out))
    }

    /// One by which so few wishes are of every kind.
    private static let seed: UInt64 = 2
}
