/// Code that one person tells another as a proof.
enum OneTimeCode {
    /// Four digits: short enough to say through a car window or over a counter.
    static func fourDigits() -> String {
        let digits = String(Int.random(in: 0...9_999))
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
