import Foundation

/// How long a session lives and what a refresh token is worth (I15).
enum SessionRule {
    /// Without a refresh for so long it ends.
    static let idleSeconds: Double = 30 * 86_400
    /// However often it is refreshed.
    static let lifetimeSeconds: Double = 180 * 86_400
    /// How long a token that was just replaced still gets its successor: for a phone that lost the answer.
    static let graceSeconds: Double = 10

    /// At most so many sessions of an account run at once; a further login ends the one that was not used for longest.
    static let maximumSessions = 50
    /// Beyond the life of an access token: how far the clocks of those who check it may be behind.
    static let clockSeconds: Double = 60

    static func expiry(createdAt: Date, now: Date) -> Date {
        min(now.addingTimeInterval(idleSeconds), createdAt.addingTimeInterval(lifetimeSeconds))
    }

    /// A refresh token as it lies in the database, with its session.
    struct Token: Hashable, Sendable {
        /// Counts the tokens of the session.
        let number: Int
        /// The session's newest token.
        let newest: Int
        let replacedAt: Date?
        let sessionEnded: Bool
        let sessionExpiresAt: Date
    }

    enum Outcome: Equatable, Sendable {
        /// The newest token: it is replaced.
        case rotate
        /// The one before, a moment after it was replaced, and its successor was never used: the same successor
        /// again. Nothing is made, so nobody who stole it gets a token of his own.
        case repeatSuccessor
        /// Somebody uses a token that was used up: owner or thief, nobody can tell, so the session ends for both.
        case reused
        case ended
    }

    static func refresh(_ token: Token, at now: Date) -> Outcome {
        guard !token.sessionEnded, token.sessionExpiresAt > now else { return .ended }
        guard let replacedAt = token.replacedAt else { return .rotate }
        let isLostAnswer = token.number == token.newest - 1 && now.timeIntervalSince(replacedAt) <= graceSeconds
        return isLostAnswer ? .repeatSuccessor : .reused
    }
}
