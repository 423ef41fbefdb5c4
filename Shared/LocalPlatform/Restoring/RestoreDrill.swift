import Foundation
import Glibc
import SeraiJSON

/// The result of a drill, as it is written to `backup-drill.json`.
public struct RestoreResult: Codable, Sendable {
    struct Restore: Codable, Sendable {
        /// `latest`, or a time.
        let to: String
        /// When the database had ended.
        var ended = ContinuousClock.now
        /// Seconds from then to the end of each step.
        var seconds: [String: Double] = [:]
        var megabytes = 0
        /// Seconds before the end of the database whose changes are lost.
        var lostSeconds = 0.0
        /// Orders that were there and are not.
        var undoneOrders = 0
        /// Charges that the payment provider may have and the wallet has not, and what became of them.
        var strays: [String: Int] = [:]
        /// The queues of the broker that were not empty; their messages were dropped.
        var dropped: [String] = []

        enum CodingKeys: CodingKey { case to, seconds, megabytes, lostSeconds, undoneOrders, strays, dropped }

        init(to: String) { self.to = to }

        mutating func note(_ step: String) {
            seconds[step] = ((ContinuousClock.now - ended) / .milliseconds(100)).rounded() / 10
        }

        var summary: String {
            let steps = seconds.sorted { $0.value < $1.value }.map { "\($0.key) \($0.value)" }
            let charges = strays.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            return """
                back to \(to), \(megabytes) MB: \(seconds["back"] ?? 0) s after the end of the database (\(steps.joined(separator: ", ")))
                  lost: \(lostSeconds) s, \(undoneOrders) orders; charges of these: \(charges.joined(separator: ", "))
                """
        }
    }

    public let seed: UInt64
    var restores: [Restore] = []
    var checks: [ChaosCheck] = []
    public private(set) var isRight = false

    mutating func judge() { isRight = !checks.isEmpty && checks.allSatisfy(\.isRight) }

    public var summary: String {
        let told = checks.map { "  \($0.isRight ? "ok" : "NO")  \($0.name): \($0.found)" }
        return (restores.map(\.summary) + ["seed \(seed): \(isRight ? "all is right" : "NOT RIGHT")"] + told)
            .joined(separator: "\n")
    }
}

/// The database's files are destroyed while people order, twice; it is set back with all that follows from it, as
/// `scripts/restore` does it for a deployment; and people go on.
public struct RestoreDrill: Sendable {
    let run: LocalRun
    let plan: Plan
    let out: String
    let say: @Sendable (String) -> Void

    public struct Plan: Sendable {
        let seed: UInt64
        /// For how long people order before each end of the database.
        let orderingSeconds: Int
        /// How much the second restore undoes.
        let undoneSeconds: Int

        public init(seed: UInt64, orderingSeconds: Int, undoneSeconds: Int) {
            (self.seed, self.orderingSeconds, self.undoneSeconds) = (seed, orderingSeconds, undoneSeconds)
        }
    }

    public init(_ run: LocalRun, _ plan: Plan, out: String, _ say: @escaping @Sendable (String) -> Void) {
        (self.run, self.plan, self.out, self.say) = (run, plan, out, say)
    }

    /// - Parameters: as for ``ChaosDrill/run(figures:simulate:)``.
    public func run(
        figures: String, simulate: @escaping @Sendable (_ gathered: String) async throws -> Void
    ) async throws -> RestoreResult {
        let ground = try await ChaosGround(run)
        say("the database archives, and is copied")
        let archive = try await DatabaseArchive(ground)
        let beats = try await Beats(ground)
        try await archive.begin()
        guard try await ground.isWhole(within: .seconds(60)) else { throw PlatformError("not everything answers") }
        let crowd = try Crowd(of: run, without: [figures], simulate)
        let beating = Task { await beats.write() }
        defer { beating.cancel() }
        var result = RestoreResult(seed: plan.seed)
        let ending = await withTaskCancellationHandler {
            do {
                try await crowd.gather()
                try await restoreTwice(Restoration(ground: ground, archive: archive, beats: beats, say: say), &result)
            } catch {
                result.checks.append(ChaosCheck(name: "drill", isRight: false, found: "\(error)"))
                crowd.cancel()
            }
            return await crowd.ended()
        } onCancel: {
            crowd.cancel()
        }
        try Task.checkCancellation()
        // Whether a repeat is answered alike depends on whether its first answer was undone.
        result.checks += [ending] + ChaosDrill.people(figures, but: ["repeats_answered_alike"])
        let checks = ChaosChecks(ground: ground)
        result.checks += [await checks.orders()]
        result.checks += await checks.all()
        result.judge()
        try write(result)
        return result
    }

    private func restoreTwice(_ restoration: Restoration, _ result: inout RestoreResult) async throws {
        try await Task.sleep(for: .seconds(plan.orderingSeconds))
        try await restoration.run(to: nil, &result)
        try await Task.sleep(for: .seconds(plan.orderingSeconds))
        let known = try await restoration.orders()
        let moment = Date.now
        try await Task.sleep(for: .seconds(plan.undoneSeconds))
        try await restoration.run(to: moment, &result)
        let lost = known.subtracting(try await restoration.orders())
        result.checks.append(
            ChaosCheck(
                name: "orders_before_the_moment_are_there", isRight: lost.isEmpty && !known.isEmpty,
                found: "\(lost.count) of \(known.count) are not"))
    }

    private func write(_ result: RestoreResult) throws {
        let file = StateFolder(URL(filePath: out).deletingLastPathComponent().path(percentEncoded: false))
        try file.create()
        try file.write(try JSON.sorted.text(result), to: URL(filePath: out).lastPathComponent)
    }
}

/// One end of the database, and the way back from it.
struct Restoration: Sendable {
    let ground: ChaosGround
    let archive: DatabaseArchive
    let beats: Beats
    let say: @Sendable (String) -> Void

    private var list: ProviderList { ProviderList(ground: ground) }

    /// The ids of all orders.
    func orders() async throws -> Set<Substring> {
        Set(try await ground.sql("SELECT id FROM dispatch.orders").split(separator: "\n"))
    }

    /// - Parameter moment: nil is all that was archived.
    func run(to moment: Date?, _ result: inout RestoreResult) async throws {
        var restore = RestoreResult.Restore(to: moment.map { $0.formatted(.iso8601) } ?? "latest")
        restore.megabytes =
            Int(
                try await ground.sql("SELECT sum(pg_database_size(oid))::bigint / 1000000 FROM pg_database")) ?? 0
        // Whoever goes back to a moment has a database that answers until then.
        if moment != nil { try await archive.flush() }
        let (charges, orders) = try await destroy()
        let end = Date.now
        restore.ended = .now
        say("the database is killed and its files destroyed; back to \(restore.to)")
        try await goBack(to: moment, &restore)
        result.checks.append(try await check(to: moment, end, &restore))
        restore.undoneOrders = orders.subtracting(try await self.orders()).count
        let kept = try await list.charges()
        restore.strays = try await list.settle(charges.filter { kept[$0.key] == nil })
        try await catchUp()
        restore.note("told again")
        result.restores.append(restore)
        say(restore.summary)
    }

    /// - Returns: what there was at the end.
    private func destroy() async throws -> (ProviderList.Charges, orders: Set<Substring>) {
        let wallets = ground.running("wallet")
        for wallet in wallets { wallet.send(SIGSTOP) }
        defer { for wallet in wallets { wallet.send(SIGCONT) } }
        let found = (try await list.charges(), try await orders())
        try await archive.destroy()
        return found
    }

    /// The steps of `scripts/restore`.
    private func goBack(to moment: Date?, _ restore: inout RestoreResult.Restore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for process in ground.processes {
                group.addTask { try await ground.end(process.name, by: SIGTERM, within: .seconds(10)) }
            }
            try await group.waitForAll()
        }
        restore.note("services stopped")
        try await archive.restore(to: moment)
        restore.note("files back")
        try await archive.server.start()
        let isBack = try await waits(within: .seconds(600), poll: .milliseconds(50)) {
            try await ground.sql("SELECT pg_is_in_recovery()") == "f"
        }
        guard isBack else { throw PlatformError("the database does not come back") }
        restore.note("log replayed")
        try await ground.run(file: ground.run.project.path("deploy/postgres/restored.sql"))
        restore.dropped = try await forget()
        restore.note("broker empty")
        guard try await ground.launchAll(within: .seconds(180)) else { throw PlatformError("not everything answers") }
        restore.note("back")
    }

    /// The broker forgets everything, and is set up anew.
    /// - Returns: the queues that were not empty.
    private func forget() async throws -> [String] {
        let list = try await ground.rabbit.ctl(["-q", "list_queues", "--no-table-headers", "name", "messages"])
        for act in ["stop_app", "reset", "start_app"] { try await ground.rabbit.ctl(["-q", act]) }
        guard let accounts = ground.record.accounts else { throw PlatformError("the run is of an older program") }
        try await accounts.setUp(
            superuser: try ServerAddress(ground.postgres.url ?? ""), management: ground.rabbit.managementURL ?? "",
            in: ground.run.project, mark: ground.run.mark(LocalRun.step))
        return list.split(separator: "\n").filter { !$0.hasSuffix("\t0") }.map { $0.replacing("\t", with: " ") }
            .map(String.init)
    }

    private func check(
        to moment: Date?, _ end: Date, _ restore: inout RestoreResult.Restore
    ) async throws -> ChaosCheck {
        let found = try await beats.found(before: end)
        let last = found.last ?? .distantPast
        restore.lostSeconds = (end.timeIntervalSince(last) * 10).rounded() / 10
        guard let moment else {
            // A log file is archived some moments after it is full, or old enough.
            let limit = Double(DatabaseArchive.timeoutSeconds) + 10
            let isKept = found.kept > 0 && (found.firstLost.map { end.timeIntervalSince($0) < limit } ?? true)
            return ChaosCheck(
                name: "what_was_archived_is_there", isRight: isKept,
                found: "\(found.kept) rows are there, the last \(restore.lostSeconds) s are lost")
        }
        let isKept = found.firstLost.map { $0 > moment } ?? false
        let isExact = found.lastSent.map { $0 <= moment } ?? false
        return ChaosCheck(
            name: "exactly_what_was_before_the_moment_is_there", isRight: isKept && isExact,
            found: "\(found.kept) rows are there")
    }

    /// The services tell each other again what they keep copies of.
    private func catchUp() async throws {
        try await archive.copy()
        for service in ["identity", "dispatch", "wallet", "admin"] {
            try await ground.command(service, ["republish"])
        }
        try await ground.command("wallet", ["retell"])
    }
}
