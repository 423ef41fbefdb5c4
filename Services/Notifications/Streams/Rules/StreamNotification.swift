import Foundation

/// A notification to other processes: its sender, and the accounts that have new events.
struct StreamNotification: Equatable {
    /// A payload must be below 8000 bytes; an account takes 24.
    static let accountLimit = 300

    let origin: UUID
    let accounts: [UUID]

    init?(_ payload: String) {
        let ids = payload.split(separator: " ").compactMap(Self.id)
        guard let origin = ids.first else { return nil }
        self.origin = origin
        accounts = Array(ids.dropFirst())
    }

    static func payloads(_ accounts: Set<UUID>, from origin: UUID) -> [String] {
        let texts = accounts.map(text)
        return stride(from: 0, to: texts.count, by: accountLimit).map { start in
            let part = texts[start..<min(start + accountLimit, texts.count)]
            return ([text(origin)] + part).joined(separator: " ")
        }
    }

    private static func text(_ id: UUID) -> String {
        withUnsafeBytes(of: id.uuid) { Data($0).base64EncodedString().replacing("=", with: "") }
    }

    private static func id(_ text: Substring) -> UUID? {
        guard let data = Data(base64Encoded: text + "=="), data.count == 16 else { return nil }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
