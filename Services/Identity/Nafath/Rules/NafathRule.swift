/// Lifetimes of the steps of a sign-in with Nafath.
enum NafathRule {
    /// From the beginning of a sign-in to its end, with the time that a person needs for it.
    static let attemptSeconds: Double = 600
    /// For the proof of owning the account that has the mobile number.
    static let ticketSeconds: Double = 900
}
