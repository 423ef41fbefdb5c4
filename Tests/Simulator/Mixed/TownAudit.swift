import Contracts
import Foundation
import Phones

/// Looks at a market whose orders are paid first when the last of them has ended, and counts what is not as it must be.
///
/// Reports that ask for a decision are decided meanwhile: the price goes back.
struct TownAudit {
    let stage: Stage
    let customers: [Newcomer]
    let providers: [Newcomer]
    /// The ledger before the first of them had a wallet.
    let before: TrialBalance.Currency?
    /// From the last deed of a person to the end of the slowest order.
    let longest: Duration

    private static let findingLimit = 40
    /// What an order can have only once, whatever its way was.
    static let once = ["order.completed", "order.cancelled", "order.expired", "payment.earned"]

    private var desk: AdminDesk { stage.desk }
    private var market: Market { stage.market }

    func report() async throws -> Report {
        var report = Report(market: market.id, seed: stage.seed)
        let seen = stage.observations.now
        let setBackAt = SetBack.last(of: (customers + providers).map(\.stream.log))
        report.surprises = seen.surprises
        let finals = try await lastVersions(since: setBackAt, &report)
        try await money(&report)
        try await streams(finals, since: setBackAt, &report)
        try await deskActs(since: setBackAt, &report)
        report.requestTimes = requestTimes()
        report.requestToProviderStream = Percentiles(report.requestTimes)
        report.customers = customers.count
        report.providers = providers.count
        return report
    }

    // MARK: Orders

    static func isSettled(_ order: OrderSnapshot) -> Bool {
        guard order.state.isFinal, order.report == nil || order.outcome != nil else { return false }
        if order.state == .completed { return [.captured, .released].contains(order.payment.state) }
        return order.payment.state != .held
    }

    private func lastVersions(
        since setBackAt: ContinuousClock.Instant?, _ report: inout Report
    ) async throws -> [UUID: OrderSnapshot] {
        let seen = stage.observations.now.orders
        /// A visit of a series whose customer stopped at what was undone waits for its day, and for nothing else.
        func waitsForItsDay(_ order: OrderSnapshot) -> Bool {
            order.state == .pending && SetBack.isOlder(seen[order.order], than: setBackAt)
        }
        let phones = Dictionary(uniqueKeysWithValues: customers.map { ($0.account, $0.phone) })
        let orders = stage.observations.now.orders.mapValues(\.customer)
        var finals: [UUID: OrderSnapshot] = [:]
        var open = orders.keys.sorted { $0.path < $1.path }
        let end = ContinuousClock.now + longest
        while true {
            try await decideReports()
            let asked = open
            let snapshots = try await Cast.parallel(asked.count, atOnce: 16) { number -> OrderSnapshot? in
                guard let customer = orders[asked[number]], let phone = phones[customer] else { return nil }
                return try await SetBack.survivor(asked[number], phone)
            }
            for (order, snapshot) in zip(asked, snapshots) { finals[order] = snapshot }
            report.undone += snapshots.count { $0 == nil }
            open = open.filter { finals[$0].map { !Self.isSettled($0) && !waitsForItsDay($0) } ?? false }
            guard !open.isEmpty, ContinuousClock.now < end else { break }
            try await Task.sleep(for: .milliseconds(500))
        }
        for order in open {
            report.stuck += 1
            let last = finals[order].map { "\($0.kind) \($0.state), payment \($0.payment.state)" } ?? "unknown"
            note("order \(order.path) is \(last)", &report)
        }
        report.orders = orders.count
        for final in finals.values {
            switch final.state {
            case .completed: report.completed += 1
            case .cancelled: report.cancelled += 1
            case .expired: report.expired += 1
            case .refused: report.declined += 1
            default: break
            }
        }
        return finals
    }

    private func decideReports() async throws {
        for report in try await desk.phone.openReports(in: market.id).items where report.awaitsDecision {
            try await stage.tolerating {
                try await desk.phone.decide(report.report, .returnToCustomer, reason: "nobody knows what became of it")
            }
        }
    }

    // MARK: Money

    /// What the wallets of this market have together is with these people, and nothing is held.
    private func money(_ report: inout Report) async throws {
        let people = customers + providers
        let end = ContinuousClock.now + .seconds(30)
        while true {
            let now = try await desk.ledger(of: market.defaults.currency)
            func change(_ kind: String) -> Int { (now?.balance(of: kind) ?? 0) - (before?.balance(of: kind) ?? 0) }
            let own = try await Cast.parallel(people.count, atOnce: 16) { number in
                try await people[number].phone.balance(in: market.defaults.currency)
            }.reduce(0, +)
            report.ledgerSum = now?.sum ?? 0
            report.heldAtEnd = (now?.heldInEscrow ?? 0) + abs(change("deposit")) + abs(change("refund"))
            report.moneyOff = abs(change("wallet") - own)
            if report.heldAtEnd == 0, report.moneyOff == 0 { return }
            guard ContinuousClock.now < end else {
                note("people have \(own); wallets have grown by \(change("wallet"))", &report)
                return
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    // MARK: Streams and inboxes

    /// - Parameter setBackAt: strict are the looks at orders that were begun later.
    private func streams(
        _ finals: [UUID: OrderSnapshot], since setBackAt: ContinuousClock.Instant?, _ report: inout Report
    ) async throws {
        let orders = stage.observations.now.orders
        let older = Set(finals.keys.filter { SetBack.isOlder(orders[$0], than: setBackAt) })
        report.older = older.count
        let parties = customers.map { ($0, true) } + providers.map { ($0, false) }
        let found = try await Cast.parallel(parties.count, atOnce: 16) { number in
            let (person, isCustomer) = parties[number]
            let own = finals.values.filter {
                !older.contains($0.order) && Self.concerns($0, person.account, asCustomer: isCustomer)
            }
            return try await audit(person, own, but: older)
        }
        for (stream, inbox, repeated) in found {
            report.expectedNotifications += inbox
            report.lostNotifications += stream.lost.count
            report.duplicateNotifications += stream.duplicates.count + repeated.count
            report.versionsLeftOut += stream.leftOut
            for lost in stream.lost { note("lost: \(lost)", &report) }
            for duplicate in stream.duplicates + repeated { note("duplicate: \(duplicate)", &report) }
        }
        for person in customers + providers {
            for entry in person.stream.log.entries {
                guard case .unreadable(let name, let why) = entry.event else { continue }
                report.unreadableEvents += 1
                note("unreadable \(name): \(why)", &report)
            }
        }
    }

    /// Whether the person hears of the order's last change. A restaurant is no party before the meal is paid, and a meal that
    /// has not come to its end may have had its payment too late; so only of a meal that was brought it is for sure.
    static func concerns(_ order: OrderSnapshot, _ account: UUID, asCustomer: Bool) -> Bool {
        if asCustomer { return order.customer.account == account }
        if order.provider?.account == account { return true }
        let sells = order.shares?.contains { $0.party == .merchant && $0.account == account } ?? false
        return sells && order.state == .completed
    }

    private func audit(
        _ person: Newcomer, _ orders: [OrderSnapshot], but older: Set<UUID>
    ) async throws -> (StreamAudit, items: Int, repeated: [String]) {
        let finals = Dictionary(uniqueKeysWithValues: orders.map { ($0.order, $0.version) })
        let end = ContinuousClock.now + .seconds(20)
        while true {
            // What came before the stream was open is about no order.
            let inbox = try await person.phone.inbox().filter { $0.order.map { !older.contains($0) } ?? false }
            let audit = StreamAudit(StreamAudit.said(person.stream.log), finals: finals, inbox: inbox.map(\.id))
            if audit.lost.isEmpty || ContinuousClock.now > end {
                let found = inbox.compactMap { item in item.order.map { (order: $0, topic: item.topic) } }
                return (audit, inbox.count, Self.repeated(found))
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// What an inbox says twice of an order although it can happen only once.
    static func repeated(_ found: [(order: UUID, topic: String)]) -> [String] {
        var counts: [String: Int] = [:]
        for item in found where once.contains(where: { item.topic.hasPrefix($0) }) {
            counts["\(item.topic) of order \(item.order.path)", default: 0] += 1
        }
        return counts.filter { $0.value > 1 }.keys.sorted()
    }

    // MARK: The audit log

    private struct Logged: Decodable, Sendable { let action: String }

    /// Whatever the desk did is in the log that nobody can change.
    private func deskActs(since setBackAt: ContinuousClock.Instant?, _ report: inout Report) async throws {
        let seen = stage.observations.now
        let sure = seen.deskActs.filter { !SetBack.isOlder(seen.orders[$0.key], than: setBackAt) }
        for (order, acts) in sure.sorted(by: { $0.key.path < $1.key.path }) {
            let end = ContinuousClock.now + .seconds(20)
            var missing = acts
            while true {
                let query: [(String, String?)] = [("market", market.id), ("subject", order.path)]
                let logged: Items<Logged> = try await desk.phone.send(.get("/admin/v1/audit", query: query)).decode()
                missing = acts.filter { act in !logged.items.contains { $0.action == act } }
                guard !missing.isEmpty, ContinuousClock.now < end else { break }
                try await Task.sleep(for: .milliseconds(300))
            }
            report.missingInAudit += missing.count
            for act in missing { note("not in the audit log: \(act) of \(order.path)", &report) }
        }
    }

    // MARK: Times

    /// From what was sent to when the first provider's stream told of the order.
    func requestTimes() -> [Duration] {
        let sent = stage.observations.now.orders.filter(\.value.isAsked).mapValues(\.sentAt)
        var first: [UUID: ContinuousClock.Instant] = [:]
        for provider in providers {
            var known: Set<UUID> = []
            for entry in provider.stream.log.entries {
                guard let order = entry.order, known.insert(order.id).inserted else { continue }
                first[order.id] = min(first[order.id] ?? entry.at, entry.at)
            }
        }
        return first.compactMap { order, at in sent[order].map { at - $0 } }.filter { $0 > .zero }
    }

    private func note(_ finding: String, _ report: inout Report) {
        if report.findings.count < Self.findingLimit { report.findings.append(finding) }
    }
}
