import Foundation
import SeraiJSON

/// What must be so when everything has been put right, and what was found.
struct ChaosCheck: Codable, Sendable, Equatable {
    let name: String
    let isRight: Bool
    /// Figures, or why it is not right.
    let found: String
}

/// Looks at what the services have stored, beside what the simulated people have seen.
struct ChaosChecks: Sendable {
    let ground: ChaosGround

    /// Asks until it is so.
    private func within(
        _ limit: Duration, _ name: String, _ ask: () async throws -> (isRight: Bool, found: String)
    ) async -> ChaosCheck {
        let begin = ContinuousClock.now
        var last = (isRight: false, found: "never asked")
        repeat {
            do { last = try await ask() } catch { last = (false, "\(error)") }
            if last.isRight { break }
            // try?: cancelled, the limit is over soon.
            try? await Task.sleep(for: .milliseconds(500))
        } while ContinuousClock.now - begin < limit
        let seconds = ((ContinuousClock.now - begin) / .milliseconds(100)).rounded() / 10
        return ChaosCheck(name: name, isRight: last.isRight, found: "\(last.found) after \(seconds) s")
    }

    /// Right after the last fault, while people still order: what had piled up is gone within thirty seconds.
    func backlog() async -> ChaosCheck {
        await within(.seconds(30), "outboxes_drained_within_30_s") {
            let waiting = try await counts {
                "SELECT count(*) FROM \($0).outbox WHERE published_at IS NULL AND occurred_at < now() - interval '5 s'"
            }
            return (waiting.isEmpty, Self.text(waiting, or: "nothing older than 5 s waits"))
        }
    }

    /// When the last order has ended.
    func all() async -> [ChaosCheck] {
        var checks = [await ledger(), await provider(), await outboxes(), await deadlines(), await auditLog()]
        checks += [await deadMessages(), await deadQueues()]
        return checks
    }

    /// The count of each service that has one above zero.
    private func counts(_ statement: (_ service: String) -> String) async throws -> [(service: String, count: Int)] {
        var found: [(service: String, count: Int)] = []
        for service in DeploymentPlan.services {
            let count = Int(try await ground.sql(statement(service))) ?? -1
            if count != 0 { found.append((service, count)) }
        }
        return found
    }

    private static func text(_ counts: [(service: String, count: Int)], or nothing: String) -> String {
        counts.isEmpty ? nothing : counts.map { "\($0.service) \($0.count)" }.joined(separator: ", ")
    }

    private func ledger() async -> ChaosCheck {
        await within(.seconds(30), "ledger_verifies") {
            try await ground.command("wallet", ["verify"])
            return (true, "wallet verify says so")
        }
    }

    private struct Books: Decodable {
        struct Totals: Decodable {
            let currency: String
            let captured, refunded, disputed, paidOut, held: Int
        }
        let items: [Totals]
    }

    /// What the payment provider has taken and not given back is what the ledger says has come from outside.
    private func provider() async -> ChaosCheck {
        await within(.seconds(60), "provider_equals_ledger") {
            let books = try JSON.wire.decode(Books.self, try await ground.sandbox("GET", "payments"))
            let rows = try await ground.sql(
                "SELECT currency, -sum(balance) FROM wallet.accounts WHERE kind = 'external' GROUP BY 1 ORDER BY 1")
            return Self.compare(
                books.items.map { ($0.currency, $0.captured - $0.refunded - $0.disputed - $0.paidOut, $0.held) },
                ledger: rows)
        }
    }

    /// - Parameter ledger: a line for each currency, `SAR|1200`.
    static func compare(
        _ books: [(currency: String, kept: Int, held: Int)], ledger: String
    ) -> (isRight: Bool, found: String) {
        var own: [String: Int] = [:]
        for row in ledger.split(separator: "\n") {
            let columns = row.split(separator: "|")
            if columns.count == 2 { own[String(columns[0])] = Int(columns[1]) }
        }
        let kept = Dictionary(books.map { ($0.currency.uppercased(), $0.kept) }) { $0 + $1 }
        let held = books.map(\.held).reduce(0, +)
        let names = Set(own.keys).union(kept.keys).sorted()
        let isRight = held == 0 && names.allSatisfy { own[$0] ?? 0 == kept[$0] ?? 0 }
        let texts = names.map { "\($0): provider \(kept[$0] ?? 0), ledger \(own[$0] ?? 0)" }
        return (isRight, (texts + ["held \(held)"]).joined(separator: "; "))
    }

    /// No order waits for anything but its day, whether one of the people knows of it or not.
    func orders() async -> ChaosCheck {
        await within(.seconds(120), "every_stored_order_final") {
            let open = try await ground.sql(
                "SELECT state, count(*) FROM dispatch.orders "
                    + "WHERE state NOT IN ('completed', 'cancelled', 'refused', 'expired', 'pending') GROUP BY 1 ORDER BY 1"
            )
            return (open.isEmpty, open.isEmpty ? "all" : open.split(separator: "\n").joined(separator: ", "))
        }
    }

    private func outboxes() async -> ChaosCheck {
        await within(.seconds(30), "outboxes_empty") {
            let waiting = try await counts { "SELECT count(*) FROM \($0).outbox WHERE published_at IS NULL" }
            return (waiting.isEmpty, Self.text(waiting, or: "all empty"))
        }
    }

    /// What was due has happened.
    private func deadlines() async -> ChaosCheck {
        await within(.seconds(60), "no_deadline_overdue") {
            let overdue = try await counts {
                "SELECT count(*) FROM \($0).deadlines WHERE due_at < now() - interval '30 s'"
            }
            return (overdue.isEmpty, Self.text(overdue, or: "none"))
        }
    }

    /// Nobody has changed what is in it: the guard that forbids it stands, and every entry is there once, recorded after its act.
    private func auditLog() async -> ChaosCheck {
        await within(.seconds(10), "audit_log_whole") {
            let guards = try await ground.sql(
                "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'admin.audit'::regclass AND tgname = 'append_only' "
                    + "AND tgenabled IN ('A', 'O')")
            let entries = try await ground.sql("SELECT count(*), count(DISTINCT id) FROM admin.audit")
            let counts = entries.split(separator: "|")
            let isWhole = guards == "1" && counts.count == 2 && counts[0] == counts[1] && counts[0] != "0"
            return (isWhole, "guard \(guards), entries \(entries.replacing("|", with: " of which different "))")
        }
    }

    private func deadMessages() async -> ChaosCheck {
        await within(.seconds(5), "no_dead_message") {
            var found: [String] = []
            for service in DeploymentPlan.services {
                let rows = try await ground.sql(
                    "SELECT queue, name, reason, count(*) FROM \(service).dead_messages "
                        + "WHERE state IN ('waiting', 'retrying') GROUP BY 1, 2, 3 LIMIT 10")
                found += rows.split(separator: "\n").map(String.init)
            }
            return (found.isEmpty, found.isEmpty ? "none" : found.joined(separator: "; "))
        }
    }

    private func deadQueues() async -> ChaosCheck {
        await within(.seconds(60), "no_dead_letter_on_the_broker") {
            let list = try await ground.rabbit.ctl(["-q", "list_queues", "name", "messages"])
            let found = Self.deadLetters(list)
            return (found.isEmpty, found.isEmpty ? "none" : found.joined(separator: "; "))
        }
    }

    /// The queues of dead or parked messages that are not empty, of what `rabbitmqctl list_queues` prints.
    static func deadLetters(_ list: String) -> [String] {
        list.split(separator: "\n").compactMap { line in
            let columns = line.split(whereSeparator: \.isWhitespace)
            guard columns.count == 2, let count = Int(columns[1]), count > 0 else { return nil }
            let isDead = columns[0].hasSuffix(".dead") || columns[0].hasSuffix(".parked")
            return isDead ? "\(columns[0]) \(count)" : nil
        }
    }
}
