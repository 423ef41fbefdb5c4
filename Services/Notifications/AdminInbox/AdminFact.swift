import Contracts
import Foundation

/// What an event says of something that waits for a market's admins: that it waits, or that it does no longer.
struct AdminFact: Sendable {
    let market: String
    let kind: AdminItemKind
    /// The thing: an order, a report, a cash-out, a link, an account.
    let subject: UUID
    let isOpen: Bool
    /// Facts of one thing count by this, not by when they are heard: an order's version, else microseconds.
    let mark: Int
    let at: Date
    var isUrgent = false
    /// Whether it waits again although an admin has marked it as done.
    var reopens = false
    var person: UUID?
    var order: UUID?
    /// Who has it already.
    var takenBy: UUID?
    /// For its words.
    var arguments: [String: TextArgument] = [:]

    static func waits(
        _ kind: AdminItemKind, _ subject: UUID, in market: String, about person: UUID? = nil, order: UUID? = nil,
        _ arguments: [String: TextArgument] = [:], mark: Int? = nil, at: Date
    ) -> AdminFact {
        AdminFact(
            market: market, kind: kind, subject: subject, isOpen: true, mark: mark ?? Self.mark(at), at: at,
            person: person, order: order, arguments: arguments)
    }

    static func settled(
        _ kind: AdminItemKind, _ subject: UUID, in market: String, mark: Int? = nil, at: Date
    ) -> AdminFact {
        AdminFact(market: market, kind: kind, subject: subject, isOpen: false, mark: mark ?? Self.mark(at), at: at)
    }

    /// Microseconds since 1970.
    static func mark(_ at: Date) -> Int { Int(min(max(0, at.timeIntervalSince1970), 1e11) * 1_000_000) }

    /// The order of the rows that a transaction locks, so that two never wait for each other.
    var key: String { "\(kind.rawValue) \(subject.uuidString) \(market)" }
}
