import ArgumentParser
import Foundation
import Phones

@main
struct Walk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Walks one visit in the open, from sign-up to payout, and checks each step and all of the money.",
        discussion: "The admin's password is read from SERAI_ADMIN_PASSWORD.")

    @Option(help: "Where the services are, such as http://127.0.0.1:8080.")
    var url: String

    @Option(help: "Where the sandbox is; its mails, messages and pushes are counted at the end.")
    var sandboxURL: String?

    @Option(help: "The e-mail or mobile of a master admin.")
    var adminLogin: String

    func run() async throws {
        guard let password = ProcessInfo.processInfo.environment["SERAI_ADMIN_PASSWORD"] else {
            throw ValidationError("SERAI_ADMIN_PASSWORD is not set.")
        }
        let network = PhoneNetwork(Endpoints(gateway: url))
        let visit = Visit(network: network, adminLogin: adminLogin, adminPassword: password)
        do {
            try await visit.walk()
        } catch {
            try await network.shutdown()
            print("\nThe walk ended early: \(error)")
            throw ExitCode.failure
        }
        try await network.shutdown()
    }
}
