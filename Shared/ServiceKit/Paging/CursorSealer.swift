import Crypto
import Foundation
import HTTPTypes
import SeraiJSON

/// Makes cursors that clients cannot interpret or change: base64url of the cursor's JSON and an HMAC-SHA256 (128 bits
/// of it) over the JSON and the list's scope.
///
/// Cursors are not encrypted: a sort key must contain nothing that the caller may not see. They do not expire.
public struct CursorSealer: Sendable {
    public static let maximumCharacters = 1_024
    private static let tagBytes = 16

    private let key: SymmetricKey

    /// - Parameter secret: the same in all processes of the service; see ``CommonKeys/signingKey``.
    public init(secret: Redacted<String>) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.revealed.utf8)), info: Data("serai paging cursor v1".utf8),
            outputByteCount: 32)
    }

    public func seal(_ cursor: Cursor, for scope: CursorScope) throws -> String {
        let payload = Data(try JSON.sorted.encode(cursor))
        return Base64URL.encode(payload + tag(payload, scope))
    }

    /// - Throws: a 400 ``Problem`` for a text that this sealer did not make for this list.
    public func open(_ text: String, for scope: CursorScope) throws(Problem) -> Cursor {
        guard text.utf8.count <= Self.maximumCharacters, let bytes = Base64URL.decode(text),
            bytes.count > Self.tagBytes
        else { throw Self.invalid }
        let payload = Data(bytes.dropLast(Self.tagBytes))
        guard Self.isEqual(Data(bytes.suffix(Self.tagBytes)), tag(payload, scope)) else { throw Self.invalid }
        do {
            return try JSON.stored.decode(Cursor.self, payload)
        } catch {
            // Signed by this key, but by an older program with other cursors.
            throw Self.invalid
        }
    }

    static let invalid = Problem("invalid-cursor", status: .badRequest)

    private func tag(_ payload: Data, _ scope: CursorScope) -> Data {
        var hmac = HMAC<SHA256>(key: key)
        hmac.update(data: Data("\(payload.count):".utf8))
        hmac.update(data: payload)
        hmac.update(data: Data(scope.text.utf8))
        return Data(hmac.finalize().prefix(Self.tagBytes))
    }

    /// Compares in constant time.
    private static func isEqual(_ left: Data, _ right: Data) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
