import ArgumentParser
import Foundation

/// `identity rotate-signing-key --directory D [--key-set FILE] [--after SECONDS]`
struct RotateSigningKeyCommand: AsyncParsableCommand {
    static let keySetVariable = "SERAI_TOKENS_KEYS_FILE"

    static let configuration = CommandConfiguration(
        commandName: "rotate-signing-key",
        abstract: "Add a new key for access tokens; services that run take it over by themselves.",
        discussion: """
            The key is published at once and signs after the given seconds. Keys before it are published until their \
            last tokens have expired, and go with the next rotation after that.
            """)

    @Option(help: "Where the files of create-keys are.")
    var directory: String

    @Option(
        help: "The key set that services read; by default what \(keySetVariable) names, else the one in the directory.")
    var keySet: String?

    @Option(help: "Seconds until the new key signs: longer than anybody keeps the published key set.")
    var after: Int = 600

    @Option(help: SigningAlgorithm.help)
    var algorithm: TokenSigningKey.Algorithm?

    func validate() throws {
        guard (0...86_400).contains(after) else { throw ValidationError("--after takes 0 to 86400 seconds.") }
    }

    func run() async throws {
        let path = keySet ?? ProcessInfo.processInfo.environment[Self.keySetVariable]
        let rotate = RotateSigningKey(
            directory: URL(fileURLWithPath: directory), published: path.map { URL(fileURLWithPath: $0) },
            algorithm: try algorithm ?? SigningAlgorithm.configured)
        switch try rotate(after: Double(after), at: Date()) {
        case .added(let id, let from): print("added \(id); it signs from \(from.formatted(.iso8601)) on")
        case .pending(let id, let from):
            print("\(id) was added already and signs from \(from.formatted(.iso8601)) on")
        }
    }
}
