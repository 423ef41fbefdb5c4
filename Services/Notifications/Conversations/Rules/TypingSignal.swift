import Foundation

/// Tells all processes that somebody is typing, by the channel that wakes their streams. An older program does not
/// understand it, and leaves it.
struct TypingSignal: Equatable {
    private static let word = "typing"

    let conversation: UUID
    let accounts: [UUID]
    /// JSON, without line ends.
    let data: String

    init(conversation: UUID, accounts: [UUID], data: String) {
        self.conversation = conversation
        self.accounts = accounts
        self.data = data
    }

    init?(_ payload: String) {
        let parts = payload.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.word, let conversation = UUID(uuidString: String(parts[1])) else {
            return nil
        }
        self.conversation = conversation
        accounts = parts[2].split(separator: ",").compactMap { UUID(uuidString: String($0)) }
        data = String(parts[3])
    }

    var payload: String {
        let accounts = accounts.map(\.uuidString).joined(separator: ",")
        return "\(Self.word) \(conversation.uuidString) \(accounts) \(data)"
    }
}
