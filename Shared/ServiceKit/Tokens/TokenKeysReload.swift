import Foundation
import Logging
import ServiceLifecycle

/// Reads the file of the key set again every two seconds, so that a new key is known before tokens are signed with it.
/// While the file cannot be read, or holds no key set, the keys that are known stay.
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
                // Cancelled sleep means the end of the loop, which the condition sees.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// - Returns: what the keys in use were read from.
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
