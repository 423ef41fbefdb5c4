import Foundation

/// Moves of shared places that wait to be written and shown: the newest of each account. That a place is shown no more
/// does not wait here, where it could be lost: see ``TakeBackPlace``.
struct PlaceBuffer: Sendable {
    struct Move: Sendable, Hashable {
        let place: SharedPlace
        let at: Date
    }

    /// The maximum of accounts.
    let limit: Int
    private var newest: [UUID: Move] = [:]

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { newest.isEmpty }

    /// - Returns: false if the buffer is full and has nothing of this account.
    mutating func put(_ move: Move, of account: UUID) -> Bool {
        guard let known = newest[account] else {
            guard newest.count < limit else { return false }
            newest[account] = move
            return true
        }
        // Requests may overtake each other.
        if known.at <= move.at { newest[account] = move }
        return true
    }

    /// Puts back what could not be written. What came meanwhile is newer.
    mutating func putBack(_ moves: [UUID: Move]) {
        for (account, move) in moves where newest[account] == nil { _ = put(move, of: account) }
    }

    mutating func takeAll() -> [UUID: Move] {
        defer { newest.removeAll(keepingCapacity: true) }
        return newest
    }
}
