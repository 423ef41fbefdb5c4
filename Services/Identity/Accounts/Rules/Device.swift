/// What a login comes from: the browser or app and its system, and an id of the app's own making where it sends one. Together
/// they tell a device that the owner knows from one that he has not used before.
struct Device: Hashable, Sendable {
    static let maximumIDCharacters = 100
    /// Of an account; those that were used least lately are forgotten.
    static let maximum = 50
    /// One that was not used for so long is a new one.
    static let keptSeconds: Double = 400 * 86_400

    var name: DeviceName?
    var id: String?
}
