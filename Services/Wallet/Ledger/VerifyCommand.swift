import ArgumentParser
import Foundation
import ServiceKit

/// `wallet verify`
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the ledger against its entries and the payments; may be run at any time.",
        discussion: """
            Prints the sums of each currency, and the payments that have not moved for longer than \
            payment.stuck.minutes. Ends with 1 when anything is wrong or stuck.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        // The statement timeout is a day, since the check reads the whole ledger. One connection is enough, because the
        // statements run one after the other.
        try await WalletService.withDatabase(flags: flags, statementTimeout: .seconds(86_400), connections: 1) {
            pool, configuration, _ in
            let minutes = try configuration[WalletConfiguration.stuckMinutes]
            let check = try await LedgerCheck.whole(pool)
            print(check.report)
            let stuck = try await StuckCheck.over(.seconds(60 * minutes), pool)
            print(stuck.report)
            guard check.isSound, stuck.items.isEmpty else { throw ExitCode.failure }
        }
    }
}
