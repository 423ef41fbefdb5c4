import Contracts
import Foundation
import Phones

/// Looks at everything when the last order has ended, and counts what is not as it must be.
struct Audit {
    let network: PhoneNetwork
    let desk: AdminDesk
    let market: Market
    let cast: Cast
    let observations: Observations
    let windows: Windows
    /// The ledger before the first order.
    let before: TrialBalance.Currency?
    /// By how much the clocks of dispatch's processes differ, by intention.
    var skew = Duration.zero

    private struct Party: Sendable {
        let account: UUID
        let phone: Phone
        let log: StreamLog
    }

    private static let findingLimit = 40

    func report() async throws -> Report {
        var report = Report(market: market.id, seed: 0)
        let seen = observations.now
        report.notPlaced = seen.notPlaced
        report.mismatchedRepeats = seen.mismatchedRepeats
        report.surprises = seen.surprises
        let finals = try await lastVersions(&report)
        let setBackAt = SetBack.last(of: (customers + providers).map(\.log))
        try await money(finals, &report)
        try await streams(finals, since: setBackAt, &report)
        latencies(&report)
        traffic(&report)
        return report
    }

    private var customers: [Party] {
        cast.customers.map {
            Party(account: $0.customer.account, phone: $0.customer.phone, log: $0.customer.stream.log)
        }
    }

    private var providers: [Party] {
        cast.providers.map { Party(account: $0.phone.account, phone: $0.phone.phone, log: $0.phone.stream.log) }
    }

    // MARK: Orders

    /// What dispatch says of each order, once it is at an end and its money is where it stays.
    private func lastVersions(_ report: inout Report) async throws -> [UUID: OrderSnapshot] {
        let phones = Dictionary(uniqueKeysWithValues: customers.map { ($0.account, $0.phone) })
        let orders = observations.now.orders.sorted { $0.key.path < $1.key.path }
        let deadline = ContinuousClock.now + windows.longestOrder
        let snapshots = try await Cast.parallel(orders.count, atOnce: 16) { number -> OrderSnapshot? in
            guard let phone = phones[orders[number].value.customer] else { return nil }
            while true {
                guard let snapshot = try await SetBack.survivor(orders[number].key, phone) else { return nil }
                if Self.isSettled(snapshot) || ContinuousClock.now > deadline { return snapshot }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        var finals: [UUID: OrderSnapshot] = [:]
        for snapshot in snapshots.compactMap({ $0 }) {
            finals[snapshot.order] = snapshot
            switch snapshot.state {
            case .completed: report.completed += 1
            case .cancelled: report.cancelled += 1
            case .expired: report.expired += 1
            case .refused: report.declined += 1
            default: break
            }
            if !Self.isSettled(snapshot) {
                report.stuck += 1
                note("order \(snapshot.order.path) is \(snapshot.state), \(snapshot.payment.state)", &report)
            }
        }
        report.orders = orders.count
        report.undone = orders.count - finals.count
        return finals
    }

    private static func isSettled(_ order: OrderSnapshot) -> Bool {
        guard order.state.isFinal else { return false }
        return order.state == .completed ? order.payment.state == .captured : order.payment.state != .held
    }

    // MARK: Money

    private func money(_ finals: [UUID: OrderSnapshot], _ report: inout Report) async throws {
        // What completed orders cost, but for cash, came out of the customers' cards and wallets and is with the
        // providers and the platform now. Of cash, the platform's share came out of the providers' wallets.
        let completed = finals.values.filter { $0.state == .completed }
        let throughLedger = completed.filter { $0.payment.method != "cash" }.map(\.total.amount).reduce(0, +)
        let fromWallets = completed.filter { $0.payment.method == "wallet" }.map(\.total.amount).reduce(0, +)
        let filled = cast.customers.map(\.walletFilling).reduce(0, +)
        let end = ContinuousClock.now + .seconds(20)
        while true {
            let ledger = try await desk.ledger(of: market.defaults.currency)
            let earned = try await balances(providers)
            let left = try await balances(customers)
            let platform = (ledger?.balance(of: "platform") ?? 0) - (before?.balance(of: "platform") ?? 0)
            report.ledgerSum = ledger?.sum ?? 0
            report.heldAtEnd = ledger?.heldInEscrow ?? 0
            report.moneyOff = abs(earned + platform - throughLedger) + abs(filled - fromWallets - left)
            if report.heldAtEnd == 0, report.moneyOff == 0 { return }
            guard ContinuousClock.now < end else {
                note(
                    "providers \(earned) + platform \(platform) for \(throughLedger); customers \(left) of \(filled) less \(fromWallets)",
                    &report)
                return
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func balances(_ parties: [Party]) async throws -> Int {
        try await Cast.parallel(parties.count, atOnce: 16) { number in
            try await parties[number].phone.balance(in: market.defaults.currency)
        }.reduce(0, +)
    }

    // MARK: Streams

    /// Strict are the looks at orders that were begun after the database was set back, if it was.
    private func streams(
        _ finals: [UUID: OrderSnapshot], since setBackAt: ContinuousClock.Instant?, _ report: inout Report
    ) async throws {
        let orders = observations.now.orders
        let sure = finals.filter { !SetBack.isOlder(orders[$0.key], than: setBackAt) }
        report.older = finals.count - sure.count
        let expected = try await expectedItems(of: Array(sure.values))
        let byCustomer = Dictionary(grouping: sure.values, by: \.customer.account)
        let byProvider = Dictionary(grouping: sure.values.filter { $0.provider != nil }) {
            $0.provider?.account ?? UUID()
        }
        let parties =
            customers.map { ($0, ExpectedItems.Party.customer, byCustomer[$0.account] ?? []) }
            + providers.map { ($0, ExpectedItems.Party.provider, byProvider[$0.account] ?? []) }
        let audits = try await Cast.parallel(parties.count, atOnce: 16) { number in
            let (party, role, orders) = parties[number]
            let own = expected.filter { id, _ in orders.contains { $0.order == id } }
            return try await audit(party, as: role, orders, own, wasSetBack: setBackAt != nil)
        }
        for (audit, inbox) in audits {
            report.expectedNotifications += inbox.expected
            report.lostNotifications += inbox.missing.count
            report.duplicateNotifications += inbox.surplus.count
            for missing in inbox.missing { note("never written: \(missing)", &report) }
            for surplus in inbox.surplus { note("written too often: \(surplus)", &report) }
            report.lostNotifications += audit.lost.count
            report.duplicateNotifications += audit.duplicates.count
            report.versionsLeftOut += audit.leftOut
            for lost in audit.lost { note("lost: \(lost)", &report) }
            for duplicate in audit.duplicates { note("duplicate: \(duplicate)", &report) }
        }
        for party in customers + providers {
            for entry in party.log.entries {
                guard case .unreadable(let name, let why) = entry.event else { continue }
                report.unreadableEvents += 1
                note("unreadable \(name): \(why)", &report)
            }
        }
        for provider in providers {
            let snapshots = provider.log.entries.compactMap(\.order?.snapshot)
            let assignments = AssignmentAudit(
                snapshots.filter { !SetBack.isOlder(orders[$0.order], than: setBackAt) }, skew: skew)
            report.doubleAssigned += assignments.overlaps.count
            for (first, second) in assignments.overlaps {
                note(
                    "two orders: \(first.order.path) until \(first.until), \(second.order.path) from \(second.from)",
                    &report)
            }
        }
    }

    /// The stream may be a moment behind; what has not come when it has been asked for ten seconds is lost.
    private func audit(
        _ party: Party, as role: ExpectedItems.Party, _ orders: [OrderSnapshot], _ happened: [UUID: ExpectedItems],
        wasSetBack: Bool
    ) async throws -> (StreamAudit, InboxAudit) {
        let finals = Dictionary(uniqueKeysWithValues: orders.map { ($0.order, $0.version) })
        let end = ContinuousClock.now + .seconds(10)
        var expected = happened
        while true {
            let inbox = try await party.phone.inbox().filter { item in
                // Of older orders it is not for sure.
                !wasSetBack || item.order.map { finals[$0] != nil } ?? true
            }
            let audit = StreamAudit(StreamAudit.said(party.log), finals: finals, inbox: inbox.map(\.id))
            let found = inbox.compactMap { item in item.order.map { (order: $0, topic: item.topic) } }
            let items = InboxAudit(role, expected: expected, found: found)
            let isRight = audit.lost.isEmpty && items.missing.isEmpty && items.surplus.isEmpty
            if isRight || ContinuousClock.now > end { return (audit, items) }
            try await Task.sleep(for: .milliseconds(300))
            // Admins may have been a moment behind too.
            for order in orders { expected[order.order] = try await expectedItems(of: order) }
        }
    }

    private func expectedItems(of orders: [OrderSnapshot]) async throws -> [UUID: ExpectedItems] {
        let items = try await Cast.parallel(orders.count, atOnce: 16) { number in
            (orders[number].order, try await expectedItems(of: orders[number]))
        }
        return Dictionary(uniqueKeysWithValues: items)
    }

    private func expectedItems(of order: OrderSnapshot) async throws -> ExpectedItems {
        let seen = try await desk.phone.timeline(of: order.order)
        return ExpectedItems(
            of: order, paidBy: seen.money?.method ?? order.payment.method,
            seen.timeline.map { .init(name: $0.name, by: $0.by, reason: $0.reason) })
    }

    // MARK: Times and traffic

    private func latencies(_ report: inout Report) {
        let seen = observations.now
        report.requestTimes = times(providers, since: seen.orders.mapValues(\.sentAt)) { $0.version == 1 }
        report.requestToProviderStream = Percentiles(report.requestTimes)
        report.acceptToCustomerStream = Percentiles(
            times(customers, since: seen.acceptances) { $0.state == .accepted })
        report.paymentToProviderStream = Percentiles(times(providers, since: seen.payments) { $0.state == .enRoute })
    }

    /// From what a phone sent to when the other party's stream first told of it.
    private func times(
        _ parties: [Party], since sent: [UUID: ContinuousClock.Instant], _ isIt: (OrderView) -> Bool
    ) -> [Duration] {
        var times: [Duration] = []
        for party in parties {
            var known: Set<UUID> = []
            for entry in party.log.entries {
                guard let order = entry.order, isIt(order), known.insert(order.id).inserted, let sent = sent[order.id]
                else { continue }
                times.append(entry.at - sent)
            }
        }
        return times
    }

    private func traffic(_ report: inout Report) {
        let counts = network.traffic.counts
        report.httpRequests = counts.answers.values.reduce(0, +)
        report.brokenConnections = counts.broken
        for (status, count) in counts.answers where status >= 400 { report.httpErrors[String(status)] = count }
        for fault in counts.faults { note(fault, &report) }
    }

    private func note(_ finding: String, _ report: inout Report) {
        if report.findings.count < Self.findingLimit { report.findings.append(finding) }
    }
}

extension StreamLog.Entry {
    /// The order that it is about, if it is about one.
    var order: OrderView? { if case .order(let order) = event { order } else { nil } }
}
