import ArgumentParser
import Foundation
import ServiceKit

/// `wallet verify`
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the ledger against its entries and the payments; may be run at any time.",
        discussion: "Prints the sums of each currency. Ends with 1 when anything is wrong.")

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
        try await WalletService.withDatabase(flags: flags) { pool, _, _ in
            let check = try await LedgerCheck.whole(pool)
            print(check.report)
            guard check.isSound else { throw ExitCode.failure }
        }
    }
}
