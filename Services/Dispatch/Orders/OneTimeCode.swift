/// What one person tells another to be known.
enum OneTimeCode {
    /// As can be said through a car's window or over a counter.
    static func fourDigits() -> String {
        let digits = String(Int.random(in: 0...9_999))
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
