/// What a market says of how its food is carried. Times are seconds.
public struct FoodSettings: Hashable, Sendable {
    /// From the arrival at a restaurant to having the food in hand, if it is ready.
    public var reachCounterSeconds = 120
    /// From having the food to setting out.
    public var leaveCounterSeconds = 120
    /// From the arrival at a customer's to the food's being there.
    public var reachDoorSeconds = 120
    /// From then to setting out again.
    public var leaveDoorSeconds = 120
    /// No order should take longer from being placed to being there.
    public var longestClickToDoorSeconds = 5_400
    /// Orders of one restaurant that one courier carries at once.
    public var bundleLimit = 5
    /// Couriers that are looked at for each order: those who can be there first.
    public var couriersPerOrder = 24
    /// How often a plan is taken apart and put together again, for each order in it; more is better and slower.
    public var searchStepsPerOrder = 25
    /// At most, for a whole plan.
    public var searchStepLimit = 1_000
    /// What a minute of a courier's waiting makes good among those who are as good for the meals.
    public var fairnessSecondsPerMinute = 1
    /// At most so many seconds are made good.
    public var fairnessMostSeconds = 20
    /// What a whole star less counts as among them; there are four to miss.
    public var ratingSecondsPerStar = 5
    /// How much longer the way to the restaurant may be of who is preferred so.
    public var preferredWaySeconds = 120

    /// By how much two couriers can differ in fairness and rating. No meal is brought later than this for it.
    public var preferenceSeconds: Int { fairnessMostSeconds + 4 * ratingSecondsPerStar }

    public init() {}
}
