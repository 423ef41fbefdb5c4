import Foundation

/// How long what was sent is good for, and how often it is sent (I2, I3).
enum ProofRule {
    enum Purpose: String, Sendable { case confirm, password }

    /// An unconfirmed registration lapses after a day, and its link with it.
    static let registrationSeconds: Double = 86_400
    static let passwordLinkSeconds: Double = 3_600
    /// Of somebody for whom an admin has made the account.
    static let invitationSeconds: Double = 3 * 86_400
    static let codeSeconds: Double = 600
    /// Another one is not sent before.
    static let resendSeconds: Double = 60
    static let codeDigits = 6
    /// A code is worth nothing after so many wrong ones.
    static let maximumFailures = 5
    /// However many codes are sent: so many wrong ones in a day are the end of it.
    static let maximumDayFailures = 20
    static let daySeconds: Double = 86_400
    /// A password is asked to be changed after a year; the account goes on.
    static let passwordAgeSeconds: Double = 365 * 86_400

    /// Sent within a day, the first included.
    static func maximumSent(_ purpose: Purpose) -> Int {
        switch purpose {
        case .confirm: 6
        // Anybody can ask for it: the cap must not keep the owner from his.
        case .password: 20
        }
    }

    static func lifetime(_ purpose: Purpose, bySMS: Bool) -> Double {
        switch purpose {
        case .confirm: bySMS ? codeSeconds : registrationSeconds
        case .password: passwordLinkSeconds
        }
    }
}
