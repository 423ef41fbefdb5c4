/// How long what a sign-in with Nafath consists of is good for.
enum NafathRule {
    /// From the beginning of a sign-in to its end, with the time that a person needs for it.
    static let attemptSeconds: Double = 600
    /// For the owner's word on an account that has the mobile number.
    static let ticketSeconds: Double = 900
}
