/// The tariff of a ride (C7), in minor units of the market's currency. A market has one for each class, such as regular
/// and XL.
public struct Tariff: Hashable, Sendable, Codable {
    public let base: Int
    public let perKilometre: Int
    public let perMinute: Int
    /// The lowest price of distance and time.
    public let minimum: Int
    /// The price of each minute that the customer lets the provider wait beyond ``freeWaitSeconds``.
    public let perWaitingMinute: Int
    public let freeWaitSeconds: Int

    public init(
        base: Int, perKilometre: Int, perMinute: Int, minimum: Int, perWaitingMinute: Int = 0, freeWaitSeconds: Int = 0
    ) {
        self.base = base
        self.perKilometre = perKilometre
        self.perMinute = perMinute
        self.minimum = minimum
        self.perWaitingMinute = perWaitingMinute
        self.freeWaitSeconds = freeWaitSeconds
    }

    /// - Parameters:
    ///   - metres: the distance, 0...100 000 000.
    ///   - seconds: the time on the way, 0...10 000 000.
    ///   - waitSeconds: the time for which the customer let the provider wait.
    ///   - surgePercent: see ``Surge/percent``. It does not apply to waiting, which the customer causes.
    public func fare(metres: Int, seconds: Int, waitSeconds: Int = 0, surgePercent: Int = 100) -> Fare {
        let distance = Self.rounded(max(0, metres) * perKilometre, over: 1_000)
        let time = Self.rounded(max(0, seconds) * perMinute, over: 60)
        let plain = max(minimum, base + distance + time)
        let surged = Self.rounded(plain * max(100, surgePercent), over: 100)
        let wait = Self.rounded(max(0, waitSeconds - freeWaitSeconds) * perWaitingMinute, over: 60)
        return Fare(
            base: base, distance: distance, time: time, toMinimum: plain - base - distance - time,
            surge: surged - plain, wait: wait)
    }

    /// Half a minor unit is rounded up.
    private static func rounded(_ number: Int, over divisor: Int) -> Int { (number + divisor / 2) / divisor }
}

/// The parts of a fare, in minor units. Their sum is exactly the total.
public struct Fare: Hashable, Sendable, Codable {
    public let base: Int
    public let distance: Int
    public let time: Int
    /// The difference to the minimum.
    public let toMinimum: Int
    public let surge: Int
    public let wait: Int

    public var total: Int { base + distance + time + toMinimum + surge + wait }

    /// The price of a ride that ended early: by the tariff, and never above the quote.
    public func capped(byQuote quoted: Int) -> Int { min(total, quoted) }
}
