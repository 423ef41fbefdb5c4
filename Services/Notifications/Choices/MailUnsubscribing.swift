import Crypto
import Foundation
import Messaging
import ServiceKit

/// The address in a mail's `List-Unsubscribe` header: posting to it ends the mails of one kind to one account, without a
/// log-in (RFC 8058). It is signed, so that nobody makes one for another account, and it can do nothing else.
struct MailUnsubscribing: Sendable {
    static let publicURL = ConfigurationKey<String?>(
        "notifications.public.url",
        "Where people's mail programs reach this service: https://serai.example.org. Without it mails do not say how they are "
            + "switched off.",
        range: "http: or https:, without a slash at the end",
        isAllowed: { $0.map { $0.wholeMatch(of: /https?:\/\/[A-Za-z0-9.:\-\[\]]+/) != nil } ?? true })

    private let publicURL: String?
    private let key: SymmetricKey

    /// - Parameter secret: the key of deliveries; another key is derived from it.
    init(publicURL: String?, secret: Redacted<String>) {
        self.publicURL = publicURL
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.revealed.utf8)),
            info: Data("serai mail unsubscribe v1".utf8), outputByteCount: 32)
    }

    init(_ configuration: ServiceConfiguration) throws {
        self.init(
            publicURL: try configuration[Self.publicURL], secret: try configuration[DeliverySeal.key])
    }

    /// Nil without a public address.
    func address(_ account: UUID, _ kind: NoticeKind) -> String? {
        publicURL.map { "\($0)/\(Self.path(token(account, kind)))" }
    }

    static func path(_ token: String) -> String { "notifications/v1/unsubscribe/\(token)" }

    /// The account, the kind and their signature, all in characters that a path may hold.
    func token(_ account: UUID, _ kind: NoticeKind) -> String {
        let text = "\(account.text).\(kind.rawValue)"
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
        return "\(text).\(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
    }

    /// Nil for what this deployment has not signed.
    func read(_ token: String) -> (account: UUID, kind: NoticeKind)? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let account = UUID(uuidString: String(parts[0])),
            let kind = NoticeKind(rawValue: String(parts[1])), parts[2].utf8.count == 64
        else { return nil }
        // Of equal length: the time of the comparison tells nothing of the signature.
        let difference = zip(self.token(account, kind).utf8.suffix(64), parts[2].utf8).reduce(0 as UInt8) {
            $0 | ($1.0 ^ $1.1)
        }
        return difference == 0 ? (account, kind) : nil
    }
}
