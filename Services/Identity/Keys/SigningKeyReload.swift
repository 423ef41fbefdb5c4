import Foundation
import Logging
import ServiceKit
import ServiceLifecycle

/// Reads the files of the signing keys and of the key set again every two seconds. While they cannot be read, or do not
/// belong together, the keys that are known go on.
struct SigningKeyReload: Service {
    static let interval: Duration = .seconds(2)

    let ring: SigningKeyRing
    let signingFile: URL
    /// The published key set.
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
                // Cancelled sleep means the end of the loop, which the condition sees.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// - Returns: what the ring was made of.
    func reload(_ known: Data?) async throws -> Data {
        let signing = try Data(contentsOf: signingFile)
        let published = try published()
        guard signing + published != known else { return signing + published }
        try await ring.replace(try TokenSigningKeys(json: signing), published: published)
        return signing + published
    }
}
