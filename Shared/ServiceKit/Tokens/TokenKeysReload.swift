import Foundation
import Logging
import ServiceLifecycle

/// Reads the key set's file every two seconds, so that a new key is known before it signs tokens. While the file cannot
/// be read, or contains no key set, the known keys stay in use.
struct TokenKeysReload: Service {
    static let interval: Duration = .seconds(2)

    let file: URL
    let verifier: TokenVerifier
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: Data?
            while !Task.isCancelled {
                known = await reload(known)
                // A cancelled sleep ends the loop by its condition.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// - Returns: the file's contents that the current keys were read from.
    func reload(_ known: Data?) async -> Data? {
        do {
            let json = try Data(contentsOf: file)
            guard json != known else { return known }
            await verifier.replaceKeys(try TokenKeySet(json: json))
            return json
        } catch {
            logger.warning("token keys not read, the known ones stay", metadata: [LogKeys.error: "\(error)"])
            return known
        }
    }
}
