import Foundation

/// Changes of shared places that wait to be written and shown: the newest of each account.
struct PlaceBuffer: Sendable {
    enum Change: Sendable, Hashable {
        case moved(SharedPlace, at: Date)
        /// The owner shows it no more.
        case hidden
    }

    /// The maximum of accounts.
    let limit: Int
    private var newest: [UUID: Change] = [:]

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { newest.isEmpty }

    /// - Returns: false if the buffer is full and has nothing of this account.
    mutating func put(_ change: Change, of account: UUID) -> Bool {
        guard newest[account] != nil || newest.count < limit else { return false }
        newest[account] = change
        return true
    }

    /// Puts back what could not be written. What came meanwhile is newer.
    mutating func putBack(_ changes: [UUID: Change]) {
        for (account, change) in changes where newest[account] == nil { _ = put(change, of: account) }
    }

    mutating func takeAll() -> [UUID: Change] {
        defer { newest.removeAll(keepingCapacity: true) }
        return newest
    }
}
