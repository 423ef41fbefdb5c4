import Foundation

/// Lifetimes of links and codes, and how often they are sent (I2, I3).
enum ProofRule {
    enum Purpose: String, Sendable { case confirm, password, invitation }

    /// An unconfirmed registration lapses after a day, and its link with it.
    static let registrationSeconds: Double = 86_400
    static let passwordLinkSeconds: Double = 3_600
    /// For a person whose account an admin has made.
    static let invitationSeconds: Double = 3 * 86_400
    static let codeSeconds: Double = 600
    /// Shortest time between two links or codes for a change of contact.
    static let resendSeconds: Double = 60
    /// Pause after the day's limit is used up: one link an hour. A person who asks for another's links can delay the
    /// owner, but not lock the owner out for ever.
    static let slowSeconds: Double = 3_600
    static let codeDigits = 6
    /// A code is void after this many wrong tries.
    static let maximumFailures = 5
    /// Wrong tries in a day, over all codes that are sent. No code is accepted after them.
    static let maximumDayFailures = 20
    static let daySeconds: Double = 86_400
    /// After a year a login asks for another password; the login still succeeds.
    static let passwordAgeSeconds: Double = 365 * 86_400

    /// Codes or links a day to one new number or address, for all accounts that name it. The limit protects strangers.
    static let maximumSentToOne = 10

    /// Links or codes a day, including the first, before the pause becomes ``slowSeconds``.
    static func maximumSent(_ purpose: Purpose) -> Int {
        switch purpose {
        case .confirm: 6
        case .password, .invitation: 20
        }
    }

    /// Shortest time between two. A new link for a password ends the previous one, and anybody can ask for one, so the
    /// owner has ten minutes to use each.
    static func pauseSeconds(_ purpose: Purpose) -> Double {
        switch purpose {
        case .confirm, .invitation: resendSeconds
        case .password: 600
        }
    }

    static func lifetime(_ purpose: Purpose, bySMS: Bool) -> Double {
        switch purpose {
        case .confirm: bySMS ? codeSeconds : registrationSeconds
        case .password: passwordLinkSeconds
        case .invitation: invitationSeconds
        }
    }
}
