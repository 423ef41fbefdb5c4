import ArgumentParser
import Foundation
import LiveMarkets
import ServiceKit

/// `wallet retell`
struct RepublishMethodsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retell",
        abstract: "Tell again who has a card that can be charged, and how each promo code stands.",
        discussion: """
            For a reader that was not there when it was told, such as dispatch after an upgrade: once its new version has \
            started, so that its queue takes it. May be run at any time, and again: readers keep what is newest.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await WalletService.withDatabase(flags: flags, connections: 1) { pool, _, logger in
            let markets = LiveMarkets(pool: pool, logger: logger)
            try await markets.refresh()
            let told = try await RepublishMethods(pool: pool, currencies: MarketCurrencies(markets)).all(at: Date())
            print("told again: \(told.methods) accounts with a card or without one, \(told.promoCodes) promo codes")
        }
    }
}
