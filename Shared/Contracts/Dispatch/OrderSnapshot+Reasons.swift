extension OrderSnapshot {
    /// The reasons that the platform gives to orders, and those of markets' reports. Other reasons are a person's own
    /// words. A person cannot use one of these slugs as own words, because readers act on them.
    public static let reasons: Set<String> = Set(
        Market.all.flatMap { $0.reportReasons.map(\.id) } + Market.systemReasons.map(\.id))
}
