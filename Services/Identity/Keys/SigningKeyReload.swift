import Foundation
import Logging
import ServiceKit
import ServiceLifecycle

/// Reads the files of the signing keys and of the key set every two seconds. While they cannot be read, or do not
/// match, the known keys stay in use.
struct SigningKeyReload: Service {
    static let interval: Duration = .seconds(2)

    let ring: SigningKeyRing
    let signingFile: URL
    /// Reads the published key set.
    let published: @Sendable () throws -> Data
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: Data?
            while !Task.isCancelled {
                do {
                    known = try await reload(known)
                } catch {
                    logger.warning(
                        "signing keys not read, the known ones stay", metadata: [LogKeys.error: "\(error)"])
                }
                // A cancelled sleep ends the loop by its condition.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// - Returns: the files' contents that the ring now has.
    func reload(_ known: Data?) async throws -> Data {
        let signing = try Data(contentsOf: signingFile)
        let published = try published()
        guard signing + published != known else { return signing + published }
        try await ring.replace(try TokenSigningKeys(json: signing), published: published)
        return signing + published
    }
}
