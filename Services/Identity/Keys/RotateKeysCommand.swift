import ArgumentParser
import Foundation
import ServiceKit

/// `identity rotate-keys [--add ID | --use ID]`
struct RotateKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-keys",
        abstract: "Seal all personal data anew with the current key, while the service runs.",
        discussion: """
            First --add ID adds a new key to the file, which nothing is sealed with yet; restart all processes of identity, \
            so that each can read what it seals. Then --use ID makes it the current one; restart them again. Then without \
            either: values are sealed anew, in batches. It can be ended and begun again. When it has ended well, the old key \
            can be taken out of the file. Keys that are in the environment are changed there. The lookup key cannot be changed this way.
            """)

    @Option(help: "Add a key of this id to the file, and do nothing else.")
    var add: String?

    @Option(help: "Make the key of this id the current one in the file, and do nothing else.")
    var use: String?

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func validate() throws {
        guard add == nil || use == nil else { throw ValidationError("--add and --use are two steps.") }
        for id in [add, use].compactMap(\.self) where !(1...32).contains(id.utf8.count) {
            throw ValidationError("An id has 1 to 32 letters.")
        }
    }

    func run() async throws {
        try await IdentityService.withDatabase(
            flags: flags, needed: IdentityConfiguration.personal
        ) { pool, configuration, _ in
            func file() throws -> PersonalDataKeyFile {
                PersonalDataKeyFile(url: URL(fileURLWithPath: try IdentityConfiguration.personalKeyFile(configuration)))
            }
            if let add {
                try file().change { try $0.adding(id: add) }
                print("added \(add); restart identity, then --use \(add)")
            } else if let use {
                try file().change { try $0.using(id: use) }
                print("\(use) is the current key; restart identity, then seal anew without --use")
            } else {
                let cipher = try IdentityConfiguration.personalDataCipher(configuration)
                for (column, values) in try await RotateKeys(pool: pool, cipher: cipher)() {
                    print("\(column): \(values)")
                }
                print("nothing is sealed with another key than the current one")
            }
        }
    }
}
