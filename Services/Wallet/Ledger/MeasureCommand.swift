import ArgumentParser
import Foundation
import SeraiJSON
import ServiceKit

/// `wallet measure`
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure how many transfers a second this database takes; for one that is thrown away afterwards.",
        discussion: """
            Opens wallets, gives them money and moves it to and fro in batches, without a broker. What it posts stays, so \
            it refuses a database that has any account. Prints JSON.
            """)

    @Option(help: "Wallets to move money between.")
    var accounts = 10_000

    @Option(help: "Transfers in one transaction.")
    var batch = 200

    @Option(help: "Transactions at the same time.")
    var clients = 4

    @Option(help: "How long. 0 only opens the wallets.")
    var seconds = 5

    @Flag(help: "Let every transfer touch one account of the platform.")
    var hot = false

    @Argument(parsing: .allUnrecognized, help: "Configuration flags.")
    var flags: [String] = []

    func validate() throws {
        guard (2...1_000_000).contains(accounts) else { throw ValidationError("--accounts is 2 to 1000000") }
        guard (1...1_000).contains(batch) else { throw ValidationError("--batch is 1 to 1000") }
        guard (1...64).contains(clients) else { throw ValidationError("--clients is 1 to 64") }
        guard (0...600).contains(seconds) else { throw ValidationError("--seconds is 0 to 600") }
    }

    func run() async throws {
        try await WalletService.withDatabase(flags: flags) { pool, _, _ in
            let measurement = LedgerMeasurement(pool: pool, accounts: accounts, batch: batch, isHot: hot)
            try await measurement.prepare()
            let result = try await measurement.run(clients: clients, for: .seconds(seconds))
            print(try JSON.stored.text(result))
        }
    }
}
