import ArgumentParser
import ServiceKit

/// `identity mend-numbers`
struct MendNumbersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mend-numbers",
        abstract: "Write mobile numbers as the plans of their countries have them, while the service runs.",
        discussion: """
            For numbers that were kept with the zero of calls inside the country, which no SMS reaches. To be run once when all \
            processes are of a version that writes them right; running it again changes nothing. A number that another \
            account has proved is left as it is, and counted.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func run() async throws {
        try await IdentityService.withDatabase(
            flags: flags, needed: IdentityConfiguration.personal
        ) { pool, configuration, _ in
            let cipher = try IdentityConfiguration.personalDataCipher(configuration)
            let (mended, left) = try await MendNumbers(pool: pool, cipher: cipher)()
            print("mended: \(mended); left, because another account has proved the number: \(left)")
        }
    }
}
