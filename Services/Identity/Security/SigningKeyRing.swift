import Foundation
import Locks
import ServiceKit

/// The keys that this process signs access tokens with, and the key set that it publishes. Both can be replaced while it
/// runs.
final class SigningKeyRing: Sendable {
    private struct State {
        let signers: [(from: Date, id: String, signer: AccessTokenSigner)]
        let published: Data
    }

    private let state: Mutex<State>

    /// - Parameter published: the key set as other services read it.
    init(_ keys: TokenSigningKeys, published: Data) async throws {
        state = Mutex(try await Self.prepare(keys, published))
    }

    /// - Throws: ``AccessTokens/WrongKeys`` when the published set holds none of them; the ring stays as it is then.
    func replace(_ keys: TokenSigningKeys, published: Data) async throws {
        let prepared = try await Self.prepare(keys, published)
        state.withLock { $0 = prepared }
    }

    func signer(at now: Date) -> AccessTokenSigner? {
        state.withLock { state in (state.signers.last { $0.from <= now } ?? state.signers.first)?.signer }
    }

    /// The public keys as JSON.
    var published: Data { state.withLock { $0.published } }

    private static func prepare(_ keys: TokenSigningKeys, _ published: Data) async throws -> State {
        let known = try TokenKeySet(json: published).keyIDs
        // One that is not published yet would sign what nobody takes.
        let usable = keys.entries.filter { known.contains($0.key.id) }
        guard !usable.isEmpty else { throw AccessTokens.WrongKeys() }
        var signers: [(from: Date, id: String, signer: AccessTokenSigner)] = []
        for entry in usable {
            let signer = await AccessTokenSigner(key: entry.key.privateKey, keyID: entry.key.id)
            signers.append((entry.from, entry.key.id, signer))
        }
        return State(signers: signers, published: published)
    }
}
