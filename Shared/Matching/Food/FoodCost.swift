/// The cost of an order with a courier, in seconds.
public struct FoodCost: Hashable, Sendable {
    /// The seconds by which all customers together wait longer. Seconds beyond the longest time count more, see
    /// ``FoodPolicy``.
    public let addedSeconds: Int
    /// The bonus for the courier's waiting; 0 or less.
    public let fairnessSeconds: Int
    /// The cost of the courier's missing stars; 0 or more.
    public let ratingSeconds: Int

    public var total: Int { addedSeconds + fairnessSeconds + ratingSeconds }

    /// - Parameter preference: see ``FoodPreference``.
    init(addedSeconds: Int, _ preference: FoodPreference) {
        self.addedSeconds = addedSeconds
        fairnessSeconds = preference.fairnessSeconds
        ratingSeconds = preference.ratingSeconds
    }
}
