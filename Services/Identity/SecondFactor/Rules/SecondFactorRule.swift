/// The second factor: a code of an authenticator app after the password (RFC 6238), or a recovery code.
enum SecondFactorRule {
    /// Between the password and the code.
    static let challengeSeconds: Double = 300
    /// Of one challenge; beside it failures slow down and lock (``LoginThrottle/secondFactor``).
    static let maximumTries = 5
    /// Challenges of an account at once; an older one is worth nothing.
    static let maximumChallenges = 5
    static let recoveryCodes = 10
    /// At most one mail about wrong codes in so long.
    static let guessMailSeconds: Double = 86_400
    /// The mails about changes are of use for a week.
    static let mailSeconds: Double = 7 * 86_400
}
