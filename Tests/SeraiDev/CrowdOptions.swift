import ArgumentParser

/// The records whose people order in a drill.
struct RecordOptions: ParsableArguments {
    @Option(help: "A file of pickups.")
    var data = "../shared/data/uber-pickups-nyc-2014-04.csv.gz"

    @Option(help: "A file of meal deliveries.")
    var meals = "../shared/data/food-deliveries-india.csv.gz"

    /// The Simulator's flags for them.
    var flags: [String] { ["--data", data, "--meals", meals] }
}

/// The people that order in a drill while something goes wrong.
struct CrowdOptions: ParsableArguments {
    @Option(help: "Orders a second.")
    var rate = 4.0

    @Option(help: "Decides what goes wrong when, and who orders what. By chance when it is not given.")
    var seed: UInt64?

    @OptionGroup var records: RecordOptions

    /// The Simulator's flags for people of all markets who place so many orders: enough of them for orders that take much
    /// longer than usual.
    func flags(orders: Int, seed: UInt64) -> [String] {
        let people = max(40, Int(rate * 14))
        return [
            "--customers", "\(people)", "--providers", "\(people)", "--market", "all", "--orders", "\(orders)",
            "--rate", "\(rate)", "--seed", "\(seed)",
        ] + records.flags
    }
}
