/// A market's settings of food delivery. Times are in seconds.
public struct FoodSettings: Hashable, Sendable {
    /// From the arrival at a restaurant to having the food, if it is ready.
    public var reachCounterSeconds = 120
    /// From having the food to setting out.
    public var leaveCounterSeconds = 120
    /// From the arrival at a customer's place to the delivery.
    public var reachDoorSeconds = 120
    /// From the delivery to setting out again.
    public var leaveDoorSeconds = 120
    /// No order should take longer from being placed to its delivery.
    public var longestClickToDoorSeconds = 5_400
    /// The most orders of one restaurant that one courier carries at once.
    public var bundleLimit = 5
    /// The couriers considered for each order: those who can be there first.
    public var couriersPerOrder = 24
    /// Search steps for each order in a plan; more is better and slower.
    public var searchStepsPerOrder = 25
    /// The limit of steps for a whole plan.
    public var searchStepLimit = 1_000
    /// The bonus for a minute of a courier's waiting, among couriers who are equally good for the meals.
    public var fairnessSecondsPerMinute = 1
    /// The highest bonus in seconds.
    public var fairnessMostSeconds = 20
    /// The cost of a missing star among them; up to four can be missing.
    public var ratingSecondsPerStar = 5
    /// How much longer the way to the restaurant may be for a preferred courier.
    public var preferredWaySeconds = 120

    /// The largest difference between two couriers in fairness and rating. No meal is delayed by more than this for it.
    public var preferenceSeconds: Int { fairnessMostSeconds + 4 * ratingSecondsPerStar }

    public init() {}
}
