import ArgumentParser
import Contracts
import Foundation
import Phones

@main
struct Simulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Plays customers and providers, as phones do: by HTTP and the stream alone.",
        discussion: """
            Customers stand where pickups of the data were. The market's service area and windows are changed for as \
            long, and restored. The admin's password is read from SERAI_ADMIN_PASSWORD. Ends with 1 when something that \
            must be zero is not.
            """)

    @Option(help: "Where all services are, such as http://127.0.0.1:8080.")
    var url: String?

    @Option(help: "Where processes of one service are, as dispatch=http://127.0.0.1:8081; repeat it for each.")
    var serviceURL: [String] = []

    @Option(help: "Where the sandbox is, whose messages people read to confirm their numbers.")
    var sandboxURL: String

    @Option(help: "assef, or all markets at once.")
    var market = "assef"

    @Option(help: "How many orders.")
    var orders = 500

    @Option(help: "The data's times pass so many times as fast.")
    var speed = 120.0

    @Option(help: "So many orders a second, whatever the data's times.")
    var rate: Double?

    @Option(help: "A file of pickups: time, latitude, longitude, base; .csv or .csv.gz.")
    var data = "../shared/data/uber-pickups-nyc-2014-04.csv.gz"

    @Option(
        help: "A file of meal deliveries with the places of restaurants and eaters; .csv or .csv.gz. For all markets.")
    var meals = "../shared/data/food-deliveries-india.csv.gz"

    @Option(help: "Where the figures go, as JSON.")
    var out = ".build/simulate.json"

    @Option(help: "The e-mail or mobile of a master admin.")
    var adminLogin: String

    @Option(help: "The same seed, the same people doing the same things.")
    var seed: UInt64 = 1

    @Option(help: "How many customers take turns.")
    var customers: Int?

    @Option(help: "How many providers work.")
    var providers: Int?

    @Option(help: "How long somebody waits for what others have to do, in seconds. For all markets.")
    var patience = 60

    @Option(help: "By how many seconds clocks of dispatch's processes differ, by intention. For all markets.")
    var skew = 0

    @Option(help: "A file that is made when everybody is there, before the first order. For all markets.")
    var gatheredFile: String?

    @Flag(help: "Processes are killed meanwhile: that one is away for a moment is no fault.")
    var tolerateRestarts = false

    @Flag(help: "The database is set back meanwhile: what that undid is told, and is no fault. For all markets.")
    var setBack = false

    func validate() throws {
        guard (1...60_000).contains(orders), speed > 0, rate ?? 1 > 0, customers ?? 1 > 0, providers ?? 1 > 0 else {
            throw ValidationError("Numbers must be above zero; orders at most 60000.")
        }
        guard (url == nil) != serviceURL.isEmpty else {
            throw ValidationError("Give --url, or --service-url for each.")
        }
        guard [Market.assef.id, "all"].contains(market) else {
            throw ValidationError("The market is \(Market.assef.id), or all of them: all.")
        }
        guard market == "all" || gatheredFile == nil && skew == 0 && !setBack else {
            throw ValidationError("--gathered-file, --skew and --set-back are for all markets.")
        }
    }

    func run() async throws {
        guard let password = ProcessInfo.processInfo.environment["SERAI_ADMIN_PASSWORD"] else {
            throw ValidationError("SERAI_ADMIN_PASSWORD is not set.")
        }
        guard let secondFactor = ProcessInfo.processInfo.environment["SERAI_ADMIN_SECOND_FACTOR"] else {
            throw ValidationError("SERAI_ADMIN_SECOND_FACTOR is not set.")
        }
        let pickups = try Pickups.first(orders, of: data)
        let thread = PhoneThread()
        try await withTaskExecutorPreference(thread) {
            let network = PhoneNetwork(try endpoints(), sandboxURL: sandboxURL, on: thread)
            if let market = Market.named(market) {
                try await simulate(pickups, market, password, secondFactor, on: network)
            } else {
                try await simulateAll(pickups, password, secondFactor, on: network)
            }
        }
    }

    private func simulate(
        _ pickups: [Pickup], _ market: Market, _ password: String, _ secondFactor: String, on network: PhoneNetwork
    ) async throws {
        var report: Report
        do {
            let desk = try await AdminDesk.signIn(
                login: adminLogin, password: password, secondFactor: secondFactor, on: network)
            let people = people(pickups)
            report = try await Simulation(
                network: network, desk: desk, market: market, pickups: pickups,
                pace: rate.map(Simulation.Pace.rate) ?? .speed(speed), customers: customers ?? people,
                providers: providers ?? people, seed: seed
            ).run()
        } catch {
            // The failure is the one to tell.
            try? await network.shutdown()
            throw error
        }
        try await network.shutdown()
        report.countServerErrors(toleratingRestarts: tolerateRestarts)
        try report.write(to: out)
        print(report.summary)
        print("written to \(out)")
        if !report.isAsItMustBe { throw ExitCode.failure }
    }

    private func simulateAll(
        _ pickups: [Pickup], _ password: String, _ secondFactor: String, on network: PhoneNetwork
    ) async throws {
        var report: MixedReport
        do {
            let desk = try await AdminDesk.signIn(
                login: adminLogin, password: password, secondFactor: secondFactor, on: network)
            let people = people(pickups)
            let scene = Scene(
                network: network, desk: desk, sandboxURL: sandboxURL, seed: seed, patience: .seconds(patience),
                pickups: pickups, meals: try MealRecords.first(orders, of: meals), customers: customers ?? people,
                providers: providers ?? people, skew: .seconds(skew))
            report = try await MixedSimulation(
                scene: scene, pace: rate.map(Simulation.Pace.rate) ?? .speed(speed), wishes: orders
            ) { [gatheredFile] in
                if let gatheredFile { try Data().write(to: URL(filePath: gatheredFile)) }
            }.run()
        } catch {
            // The failure is the one to tell.
            try? await network.shutdown()
            throw error
        }
        try await network.shutdown()
        report.judge(isDisturbed: tolerateRestarts || setBack, isSetBack: setBack)
        try Report.write(report, to: out)
        print(report.summary)
        print("written to \(out)")
        if !report.isAsItMustBe { throw ExitCode.failure }
    }

    /// An order keeps its people busy for about five seconds; somebody is free at most times.
    private func people(_ pickups: [Pickup]) -> Int {
        let span = pickups.last.map { $0.at.timeIntervalSince(pickups[0].at) / speed } ?? 0
        let perSecond = rate ?? Double(pickups.count) / max(span, 1)
        return min(max(10, Int(perSecond * 8)), max(10, pickups.count), 800)
    }

    private func endpoints() throws -> Endpoints {
        if let url { return Endpoints(gateway: url) }
        var services: [String: [String]] = [:]
        for pair in serviceURL {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("\(pair) is not SERVICE=URL.") }
            services[parts[0], default: []].append(parts[1])
        }
        return Endpoints(services: services)
    }
}
