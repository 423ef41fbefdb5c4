/// By what a solution is judged.
public struct MealMeasures: Codable, Sendable {
    public let orders: Int
    public let delivered: Int
    /// Those delivered that took longer than the longest time.
    public let late: Int
    public let meanClickToDoor: Double
    public let p90ClickToDoor: Double
    public let meanReadyToPickup: Double
    public let meanReadyToDoor: Double
    /// The mean click-to-door over the mean of the shortest possible ones.
    public let ratio: Double
    /// Orders in trips of several.
    public let bundled: Int

    public init(_ solution: MealSolution, of instance: MealInstance) {
        let done = solution.deliveries.sorted { $0.key < $1.key }
        let clicks = done.map { Double($0.value.dropoff - instance.orders[$0.key].placed) }
        orders = instance.orders.count
        delivered = done.count
        late = clicks.count { $0 > Double(instance.longestMinutes) }
        meanClickToDoor = Self.mean(clicks)
        p90ClickToDoor =
            clicks.sorted()[min(max(0, Int((Double(clicks.count) * 0.9).rounded(.up)) - 1), clicks.count - 1)]
        meanReadyToPickup = Self.mean(done.map { Double($0.value.pickup - instance.orders[$0.key].ready) })
        meanReadyToDoor = Self.mean(done.map { Double($0.value.dropoff - instance.orders[$0.key].ready) })
        let shortest = Self.mean(done.map { Double(instance.shortestClickToDoor(instance.orders[$0.key])) })
        ratio = shortest > 0 ? meanClickToDoor / shortest : 0
        bundled = solution.assignments.reduce(0) { $0 + ($1.orders.count > 1 ? $1.orders.count : 0) }
    }

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}
