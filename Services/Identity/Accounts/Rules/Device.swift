/// The origin of a login: the browser or app with its system, and an id that the app made, where it sends one. Both
/// together tell a known device from a new one.
struct Device: Hashable, Sendable {
    static let maximumIDCharacters = 100
    /// Devices kept for each account; the least recently used ones are deleted.
    static let maximum = 50
    /// A device that was not used for this time counts as new.
    static let keptSeconds: Double = 400 * 86_400

    var name: DeviceName?
    var id: String?
}
