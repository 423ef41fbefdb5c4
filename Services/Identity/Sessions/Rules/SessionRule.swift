import Foundation

/// Lifetimes of sessions, and the rules for refresh tokens (I15).
enum SessionRule {
    /// A session ends after this time without a refresh.
    static let idleSeconds: Double = 30 * 86_400
    /// A session ends after this time in any case.
    static let lifetimeSeconds: Double = 180 * 86_400
    /// A token that was just replaced still gets its successor within this time, for a phone that lost the answer.
    static let graceSeconds: Double = 10

    /// The maximum of running sessions of an account; a further login ends the least recently used one.
    static let maximumSessions = 50
    /// Added to an access token's lifetime, for verifiers whose clocks are behind.
    static let clockSeconds: Double = 60

    static func expiry(createdAt: Date, now: Date) -> Date {
        min(now.addingTimeInterval(idleSeconds), createdAt.addingTimeInterval(lifetimeSeconds))
    }

    /// A refresh token as stored, with its session.
    struct Token: Hashable, Sendable {
        /// The token's number within the session.
        let number: Int
        /// The number of the session's newest token.
        let newest: Int
        let replacedAt: Date?
        let sessionEnded: Bool
        let sessionExpiresAt: Date
    }

    enum Outcome: Equatable, Sendable {
        /// The newest token: it is replaced.
        case rotate
        /// The previous token, shortly after it was replaced, with an unused successor: the same successor is returned.
        /// No token is created, so a thief gets no tokens of his own.
        case repeatSuccessor
        /// A used token: owner and thief cannot be told apart, so the session ends for both.
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
