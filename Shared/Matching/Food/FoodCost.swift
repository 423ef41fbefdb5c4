/// What it costs that a courier carries an order, in seconds.
public struct FoodCost: Hashable, Sendable {
    /// By how many seconds all customers together would wait longer. What is beyond the longest time counts more, see
    /// ``FoodPolicy``.
    public let addedSeconds: Int
    /// What the courier's waiting makes good; 0 or less.
    public let fairnessSeconds: Int
    /// What the stars that are missing count as; 0 or more.
    public let ratingSeconds: Int

    public var total: Int { addedSeconds + fairnessSeconds + ratingSeconds }

    /// - Parameter preference: see ``FoodPreference``.
    init(addedSeconds: Int, _ preference: FoodPreference) {
        self.addedSeconds = addedSeconds
        fairnessSeconds = preference.fairnessSeconds
        ratingSeconds = preference.ratingSeconds
    }
}
