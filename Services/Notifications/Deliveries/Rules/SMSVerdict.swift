/// What the answer of Twilio's API says of an SMS.
enum SMSVerdict {
    /// Only what is wrong with the person's number or the text is final: no such number (21211), it has answered STOP (21610),
    /// it takes no SMS (21614), there is no text (21602) or too much of it (21617). Sender, credentials, permissions and limits
    /// can be repaired, and no SMS may be lost meanwhile.
    private static let final: Set = [21211, 21610, 21614, 21602, 21617]
    private static let tooMany = 20429
    /// Of a provider that is asked too often and does not say when it may be asked again.
    static let usualPauseSeconds: Double = 5
    static let longestPauseSeconds: Double = 3_600

    /// - Parameters:
    ///   - code: the one in the answer's body.
    ///   - retryAfter: the header's value, in seconds; dates are ignored.
    static func outcome(status: UInt, code: Int?, retryAfter: String?) -> DeliveryOutcome {
        let cause = code.map { "status \(status), code \($0)" } ?? "status \(status)"
        if let code, (400..<500).contains(status), final.contains(code) { return .refused(cause: cause) }
        let asked = retryAfter.flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        let isLimited = status == 429 || code == tooMany
        let pause = asked ?? (isLimited ? usualPauseSeconds : nil)
        return .later(cause: cause, afterSeconds: pause.map { min($0, longestPauseSeconds) })
    }
}
