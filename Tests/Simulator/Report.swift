import Foundation

/// The figures of a simulation, as `simulate.json` has them.
struct Report: Encodable {
    var market: String
    var seed: UInt64
    var orders = 0
    var completed = 0
    var cancelled = 0
    var expired = 0
    var declined = 0
    /// Customers who found nobody to ask, in a quarter of a minute.
    var notPlaced = 0
    /// Orders that are not at an end although all windows are over.
    var stuck = 0
    /// Orders that their customers were told of and that are not there any more: the database was set back to before them.
    var undone = 0
    /// Orders from before the database was set back, which are there. What happened to them may have happened twice or have
    /// been undone, so their streams and inboxes are not looked at.
    var older = 0
    /// Pairs of orders that one provider had at the same time.
    var doubleAssigned = 0
    /// Sum over all accounts of the ledger, minor units.
    var ledgerSum = 0
    /// What is in escrow when all orders have ended, minor units.
    var heldAtEnd = 0
    /// Minor units by which the wallets and the platform are off what the completed orders cost.
    var moneyOff = 0
    /// Inbox items that must be there, by what happened to the orders.
    var expectedNotifications = 0
    var lostNotifications = 0
    var duplicateNotifications = 0
    /// Admins' acts that the audit log does not have.
    var missingInAudit = 0
    /// Repeated requests that were answered otherwise than at first.
    var mismatchedRepeats = 0
    /// Stream events in a form that phones do not know.
    var unreadableEvents = 0
    /// Versions that were overtaken by newer ones on a stream; no fault.
    var versionsLeftOut = 0
    var ordersPerSecond = 0.0
    var seconds = 0.0
    var requestToProviderStream = Percentiles([])
    var acceptToCustomerStream = Percentiles([])
    /// Of all ways to pay, and of orders that went on: those whose window ended first are among the expired ones.
    var paymentToProviderStream = Percentiles([])
    /// Answers from 400 on, by status.
    var httpErrors: [String: Int] = [:]
    var httpRequests = 0
    /// Answers from 500 on. Where processes are killed meanwhile, without those by which a process or its gateway says
    /// that it is away for the moment.
    private(set) var serverErrors = 0
    /// Attempts that got no answer and were repeated.
    var brokenConnections = 0
    var customers = 0
    var providers = 0
    var surprises: [String] = []
    /// What stands behind numbers that must be zero and are not; the first few of each.
    var findings: [String] = []
    /// From what was sent to the provider's stream, each one; not written.
    var requestTimes: [Duration] = []

    enum CodingKeys: String, CodingKey {
        case market, seed, orders, completed, cancelled, expired, declined, stuck, seconds, customers, providers
        case surprises, findings
        case undone, older
        case notPlaced = "not_placed"
        case doubleAssigned = "double_assigned"
        case ledgerSum = "ledger_sum"
        case heldAtEnd = "held_at_end"
        case moneyOff = "money_off"
        case expectedNotifications = "expected_notifications"
        case lostNotifications = "lost_notifications"
        case duplicateNotifications = "duplicate_notifications"
        case missingInAudit = "missing_in_audit"
        case mismatchedRepeats = "mismatched_repeats"
        case unreadableEvents = "unreadable_events"
        case versionsLeftOut = "versions_left_out"
        case ordersPerSecond = "orders_per_s"
        case requestToProviderStream = "request_to_provider_stream_ms"
        case acceptToCustomerStream = "accept_to_customer_stream_ms"
        case paymentToProviderStream = "payment_to_provider_stream_ms"
        case httpErrors = "http_errors"
        case httpRequests = "http_requests"
        case serverErrors = "server_errors"
        case brokenConnections = "broken_connections"
    }

    /// What must be zero, by its name in the file.
    var zeros: [(name: String, value: Int)] {
        [
            ("stuck", stuck), ("double_assigned", doubleAssigned), ("ledger_sum", ledgerSum),
            ("held_at_end", heldAtEnd), ("money_off", moneyOff), ("lost_notifications", lostNotifications),
            ("duplicate_notifications", duplicateNotifications), ("mismatched_repeats", mismatchedRepeats),
            ("unreadable_events", unreadableEvents), ("not_placed", notPlaced), ("server_errors", serverErrors),
            ("missing_in_audit", missingInAudit), ("undone", undone),
        ]
    }

    mutating func countServerErrors(toleratingRestarts: Bool) {
        let away: Set = toleratingRestarts ? ["502", "503", "504"] : []
        serverErrors = httpErrors.filter { (Int($0.key) ?? 0) >= 500 && !away.contains($0.key) }.values.reduce(0, +)
    }

    var isAsItMustBe: Bool { zeros.allSatisfy { $0.value == 0 } && orders > 0 }

    func write(to path: String) throws { try Self.write(self, to: path) }

    static func write(_ figures: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(figures).write(to: file)
    }

    var summary: String {
        func line(_ name: String, _ times: Percentiles) -> String {
            "\(name): p50 \(times.p50) ms, p95 \(times.p95) ms, p99 \(times.p99) ms (\(times.count))"
        }
        let errors = httpErrors.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        var lines = [
            "\(orders) orders in \(Int(seconds)) s, \(ordersPerSecond) a second; \(customers) customers, \(providers) providers, seed \(seed)",
            "completed \(completed), cancelled \(cancelled), expired \(expired), declined \(declined)",
            line("request to the provider's stream", requestToProviderStream),
            line("acceptance to the customer's stream", acceptToCustomerStream),
            line("payment to the provider's stream", paymentToProviderStream),
            "inbox: \(expectedNotifications) items expected",
            "HTTP: \(httpRequests) answers, of these \(errors.isEmpty ? "no errors" : errors); \(brokenConnections) attempts without one",
            "must be zero: " + zeros.map { "\($0.name) \($0.value)" }.joined(separator: ", "),
        ]
        lines += findings.prefix(10).map { "  ! \($0)" } + surprises.prefix(10).map { "  ? \($0)" }
        return lines.joined(separator: "\n")
    }
}
