import Foundation
import Locks
import ServiceKit

/// The keys with which this process signs access tokens, and the key set that it publishes. Both can be replaced while
/// it runs.
final class SigningKeyRing: Sendable {
    private struct State {
        let signers: [(from: Date, id: String, signer: AccessTokenSigner)]
        let published: Data
        let algorithms: [String]
    }

    private let state: Mutex<State>

    /// - Parameter published: the key set as other services read it.
    init(_ keys: TokenSigningKeys, published: Data) async throws {
        state = Mutex(try await Self.prepare(keys, published))
    }

    /// - Throws: ``AccessTokens/WrongKeys`` when the published set has none of the keys; the ring then stays as it is.
    func replace(_ keys: TokenSigningKeys, published: Data) async throws {
        let prepared = try await Self.prepare(keys, published)
        state.withLock { $0 = prepared }
    }

    func signer(at now: Date) -> AccessTokenSigner? {
        state.withLock { state in (state.signers.last { $0.from <= now } ?? state.signers.first)?.signer }
    }

    /// The public keys as JSON.
    var published: Data { state.withLock { $0.published } }

    /// The algorithms of valid tokens.
    var algorithms: [String] { state.withLock { $0.algorithms } }

    private static func prepare(_ keys: TokenSigningKeys, _ published: Data) async throws -> State {
        let keySet = try TokenKeySet(json: published)
        let known = keySet.keyIDs
        // A key that is not published must not sign: no service would accept its tokens.
        let usable = keys.entries.filter { known.contains($0.key.id) }
        guard !usable.isEmpty else { throw AccessTokens.WrongKeys() }
        var signers: [(from: Date, id: String, signer: AccessTokenSigner)] = []
        for entry in usable {
            let signer = try await AccessTokenSigner(entry.key.key, keyID: entry.key.id)
            signers.append((entry.from, entry.key.id, signer))
        }
        return State(signers: signers, published: published, algorithms: keySet.algorithms)
    }
}
