import ArgumentParser
import Foundation

/// `identity create-keys --directory D`
struct CreateKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create-keys",
        abstract: "Make the keys of a deployment that are missing; keys that are there stay.",
        discussion: """
            \(CreateKeys.signingKeyFile): the private key of access tokens, for identity alone \
            (SERAI_IDENTITY_SIGNING_KEY_FILE). \(CreateKeys.keySetFile): its public half, for every service \
            (SERAI_TOKENS_KEYS_FILE). \(CreateKeys.personalDataKeysFile): the keys of personal data, for identity alone \
            (SERAI_IDENTITY_PERSONAL_KEY_FILE); without them no e-mail address or mobile number can be read again.
            """)

    @Option(help: "Where the files go.")
    var directory: String

    @Option(help: SigningAlgorithm.help)
    var algorithm: TokenSigningKey.Algorithm?

    func run() async throws {
        let now = Date().formatted(.iso8601.year().month().day())
        let outcome = try await CreateKeys(
            directory: URL(fileURLWithPath: directory),
            algorithm: try algorithm ?? SigningAlgorithm.configured ?? .edDSA)(
                keyID: now)
        for name in outcome.created { print("created \(name)") }
        for name in outcome.kept { print("kept \(name)") }
    }
}
