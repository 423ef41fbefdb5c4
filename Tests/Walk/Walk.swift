import ArgumentParser
import Contracts
import Foundation
import Phones

@main
struct Walk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Walks an order of each market in the open, from sign-up to payout, and checks all of the money.",
        discussion:
            "The admin's password and the secret of the second factor are read from SERAI_ADMIN_PASSWORD and SERAI_ADMIN_SECOND_FACTOR."
    )

    @Option(help: "Where the services are, such as http://127.0.0.1:8080.")
    var url: String

    @Option(help: "Where the sandbox is, whose mails and messages people read.")
    var sandboxURL: String

    @Option(help: "The e-mail or mobile of a master admin.")
    var adminLogin: String

    @Option(help: "A file for the accounts of all whom the walk meets, to sign in as them.")
    var accounts: String?

    func run() async throws {
        guard let password = ProcessInfo.processInfo.environment["SERAI_ADMIN_PASSWORD"] else {
            throw ValidationError("SERAI_ADMIN_PASSWORD is not set.")
        }
        guard let secondFactor = ProcessInfo.processInfo.environment["SERAI_ADMIN_SECOND_FACTOR"] else {
            throw ValidationError("SERAI_ADMIN_SECOND_FACTOR is not set.")
        }
        let network = PhoneNetwork(Endpoints(gateway: url), sandboxURL: sandboxURL)
        do {
            try await walk(on: network, password, secondFactor)
        } catch {
            try await network.shutdown()
            print("\nThe walk ended early: \(error)")
            throw ExitCode.failure
        }
        try await network.shutdown()
    }

    private func walk(on network: PhoneNetwork, _ password: String, _ secondFactor: String) async throws {
        print(line("admin", "signs in, with a code of the second factor \(secondFactor)"))
        let desk = try await AdminDesk.signIn(
            login: adminLogin, password: password, secondFactor: secondFactor, on: network)
        let town = Newcomer.Town(network, sandboxURL: sandboxURL)
        let people = Acquaintances()
        for story in Story.allCases {
            print("\n\(line(story.market.id, story.rawValue))")
            try await story.walk(town, desk: desk, people: people) { print($0) }
        }
        if let accounts {
            let lines = people.all.map { accountLines($0) + "\n" }.joined()
            try Data(lines.utf8).write(to: URL(filePath: accounts))
        }
        print("\n\(line("all", "is as it must be: every split is exact, and the ledger's sum is zero"))")
    }
}
