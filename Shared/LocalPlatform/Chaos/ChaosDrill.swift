import Foundation
import SeraiJSON

/// What came of a drill, as `chaos.json` has it.
public struct ChaosResult: Codable, Sendable {
    struct Told: Codable, Sendable {
        let second: Int
        let kind: ChaosSchedule.Kind
        let target: String
        let length: Int
        /// Seconds from the first order.
        var begunAt: Double?
        var healedAt: Double?
        /// Why it could not begin, or not be healed.
        var failure: String?
    }

    public let seed: UInt64
    public let seconds: Int
    var faults: [Told]
    /// Processes that ended although nobody had ended them.
    var endedByThemselves: [String] = []
    var checks: [ChaosCheck] = []
    public private(set) var isRight = false

    mutating func judge() { isRight = !checks.isEmpty && checks.allSatisfy(\.isRight) }

    /// The names of what is not so.
    public var failures: [String] { checks.filter { !$0.isRight }.map(\.name) }

    public var summary: String {
        var lines = ["seed \(seed), \(seconds) s, \(faults.count) faults: \(isRight ? "all is right" : "NOT RIGHT")"]
        for (kind, all) in Dictionary(grouping: faults, by: \.kind).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("  \(all.count) × \(kind.rawValue)")
        }
        lines += faults.compactMap { fault in fault.failure.map { "  ? \(fault.kind.rawValue) \(fault.target): \($0)" }
        }
        lines += checks.map { "  \($0.isRight ? "ok" : "NO")  \($0.name): \($0.found)" }
        return lines.joined(separator: "\n")
    }
}

/// A schedule of faults on a run while people order, and what must be so afterwards.
public struct ChaosDrill: Sendable {
    let run: LocalRun
    let schedule: ChaosSchedule
    let out: String
    let say: @Sendable (String) -> Void

    public init(_ run: LocalRun, _ schedule: ChaosSchedule, out: String, _ say: @escaping @Sendable (String) -> Void) {
        (self.run, self.schedule, self.out, self.say) = (run, schedule, out, say)
    }

    /// The processes of a run that a schedule may choose.
    public static func processes(of run: LocalRun) throws -> [String] {
        try run.plan().processes.filter { $0.service != "sandbox" }.map(\.name)
    }

    /// - Parameters:
    ///   - figures: the file into which the simulation writes.
    ///   - simulate: plays the people, and makes the file of its argument when the first order is about to come.
    public func run(
        figures: String, simulate: @escaping @Sendable (_ gathered: String) async throws -> Void
    ) async throws -> ChaosResult {
        let ground = try await ChaosGround(run)
        let crowd = try Crowd(of: run, without: [figures], simulate)
        var result = ChaosResult(
            seed: schedule.seed, seconds: schedule.seconds,
            faults: schedule.entries.map {
                .init(second: $0.second, kind: $0.kind, target: $0.target, length: $0.length)
            })
        let ending = await withTaskCancellationHandler {
            await disturb(ground, crowd, &result)
            return await crowd.ended()
        } onCancel: {
            crowd.cancel()
        }
        try Task.checkCancellation()
        result.checks += [ending] + Self.people(figures)
        result.checks += await ChaosChecks(ground: ground).all()
        result.endedByThemselves = await ground.endedByThemselves
        result.judge()
        try write(result)
        return result
    }

    public func write(_ result: ChaosResult) throws {
        let file = StateFolder(URL(filePath: out).deletingLastPathComponent().path(percentEncoded: false))
        try file.create()
        try file.write(try JSON.sorted.text(result), to: URL(filePath: out).lastPathComponent)
    }

    // MARK: Faults

    private func disturb(_ ground: ChaosGround, _ crowd: Crowd, _ result: inout ChaosResult) async {
        do {
            try await crowd.gather()
            let begin = ContinuousClock.now
            let told = await withTaskGroup(of: [(Int, ChaosResult.Told)].self) { group in
                for lane in ChaosSchedule.Lane.allCases {
                    let own = result.faults.enumerated().filter { $0.element.kind.lane == lane }
                    group.addTask { await play(own.map { ($0.offset, $0.element) }, from: begin, ground, crowd) }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            for (index, fault) in told { result.faults[index] = fault }
            let isWhole = try await ground.isWhole(within: .seconds(60))
            result.checks.append(
                ChaosCheck(
                    name: "everything_answers_again", isRight: isWhole,
                    found: isWhole ? "within a minute" : "not within a minute"))
            result.checks.append(await ChaosChecks(ground: ground).backlog())
        } catch {
            result.checks.append(ChaosCheck(name: "drill", isRight: false, found: "\(error)"))
            crowd.cancel()
        }
        let failures = result.faults.filter { $0.failure != nil }.count
        result.checks.append(
            ChaosCheck(name: "faults_healed", isRight: failures == 0, found: "\(failures) of them failed"))
    }

    /// One fault after the other; whatever has begun is healed, however this ends.
    private func play(
        _ faults: [(Int, ChaosResult.Told)], from begin: ContinuousClock.Instant, _ ground: ChaosGround,
        _ crowd: Crowd
    ) async -> [(Int, ChaosResult.Told)] {
        var told: [(Int, ChaosResult.Told)] = []
        for (index, planned) in faults where !Task.isCancelled {
            var fault = planned
            func now() -> Double { (((ContinuousClock.now - begin) / .milliseconds(1)) / 100).rounded() / 10 }
            let entry = ChaosSchedule.Entry(
                second: fault.second, kind: fault.kind, target: fault.target, length: fault.length)
            let act = entry.fault(on: ground)
            // try?: cancelled, nothing more goes wrong.
            guard (try? await Task.sleep(until: begin + .seconds(fault.second))) != nil, !crowd.isGone else { break }
            say("\(fault.second) s: \(fault.kind.rawValue) \(fault.target)")
            fault.begunAt = now()
            do { try await act.begin() } catch { fault.failure = "begin: \(error)" }
            // try?: cancelled, it is healed at once.
            try? await Task.sleep(for: .seconds(fault.length))
            // In a task of its own: somebody who cancels wants everything put right, too.
            let failure = await Task { () -> String? in
                do {
                    try await act.heal()
                    try await ground.mend()
                    return nil
                } catch {
                    return "heal: \(error)"
                }
            }.value
            fault.failure = fault.failure ?? failure
            fault.healedAt = now()
            told.append((index, fault))
        }
        return told
    }

    // MARK: What people have seen

    /// What the simulation's numbers say, by what they are about.
    static let groups: [(name: String, numbers: [String])] = [
        ("every_order_final", ["stuck"]), ("no_hold_left", ["held_at_end"]),
        ("money_where_it_belongs", ["ledger_sum", "money_off"]),
        ("each_notice_once", ["lost_notifications", "duplicate_notifications", "unreadable_events"]),
        ("nobody_has_two_orders", ["double_assigned"]), ("repeats_answered_alike", ["mismatched_repeats"]),
        ("every_act_in_the_audit_log", ["missing_in_audit"]), ("no_server_error", ["server_errors"]),
    ]

    private struct Figures: Decodable {
        let orders, completed: Int
        let zeros: [String: Int]
    }

    /// - Parameters:
    ///   - figures: the file into which the simulation has written.
    ///   - others: the names of groups that need not be right.
    static func people(_ figures: String, but others: Set<String> = []) -> [ChaosCheck] {
        do {
            let text = [UInt8](try Data(contentsOf: URL(filePath: figures)))
            return people(try JSON.wire.decode(Figures.self, text)).filter { !others.contains($0.name) }
        } catch {
            return [ChaosCheck(name: "simulation_figures", isRight: false, found: "\(error)")]
        }
    }

    private static func people(_ figures: Figures) -> [ChaosCheck] {
        var checks = groups.map { group in
            let found = group.numbers.map { ($0, figures.zeros[$0]) }
            return ChaosCheck(
                name: group.name, isRight: found.allSatisfy { $0.1 == 0 },
                found: found.map { "\($0.0) \($0.1.map(String.init) ?? "is not told")" }.joined(separator: ", "))
        }
        checks.append(
            ChaosCheck(
                name: "people_went_on", isRight: figures.completed * 5 > figures.orders && figures.orders > 0,
                found: "\(figures.completed) of \(figures.orders) orders completed"))
        return checks
    }
}
