/// The second factor: a code of an authenticator app after the password (RFC 6238), or a recovery code.
enum SecondFactorRule {
    /// Time between the password and the code.
    static let challengeSeconds: Double = 300
    /// Tries with one challenge; failures also slow down and lock (``LoginThrottle/secondFactor``).
    static let maximumTries = 5
    /// Challenges of an account at once; older ones are deleted.
    static let maximumChallenges = 5
    static let recoveryCodes = 10
    /// At most one mail about wrong codes in this time.
    static let guessMailSeconds: Double = 86_400
    /// A mail about a change that is not sent within a week is dropped.
    static let mailSeconds: Double = 7 * 86_400
}
