import Foundation

/// How long what was sent is good for, and how often it is sent (I2, I3).
enum ProofRule {
    enum Purpose: String, Sendable { case confirm, password, invitation }

    /// An unconfirmed registration lapses after a day, and its link with it.
    static let registrationSeconds: Double = 86_400
    static let passwordLinkSeconds: Double = 3_600
    /// Of somebody for whom an admin has made the account.
    static let invitationSeconds: Double = 3 * 86_400
    static let codeSeconds: Double = 600
    /// Another change of a contact is not sent before.
    static let resendSeconds: Double = 60
    /// Whoever asks for others' links keeps nobody for ever from his: beyond what is sent in a day there is one an hour.
    static let slowSeconds: Double = 3_600
    static let codeDigits = 6
    /// A code is worth nothing after so many wrong ones.
    static let maximumFailures = 5
    /// However many codes are sent: so many wrong ones in a day are the end of it.
    static let maximumDayFailures = 20
    static let daySeconds: Double = 86_400
    /// A password is asked to be changed after a year; the account goes on.
    static let passwordAgeSeconds: Double = 365 * 86_400

    /// To a number or an address within a day, for all accounts that name it as their new one: it may be a stranger's.
    static let maximumSentToOne = 10

    /// Sent within a day, the first included, before it gets slow.
    static func maximumSent(_ purpose: Purpose) -> Int {
        switch purpose {
        case .confirm: 6
        case .password, .invitation: 20
        }
    }

    /// Another one is not sent before. A link for a password ends the one of before: anybody can ask for one, so the owner
    /// has some minutes for each.
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
