import Contracts
import Foundation
import NIOCore
import Synchronization

/// The account's stream, taken up again where it was whenever it breaks, until it is closed.
public final class LiveStream: Sendable {
    public let log = StreamLog()
    private let phone: Phone
    private let lastID = Mutex<String?>(nil)
    private let reading = Mutex<Task<Void, Never>?>(nil)

    public init(_ phone: Phone) { self.phone = phone }

    /// Returns once the stream has said that it is ready: nothing is missed from then on.
    public func open(within limit: Duration = .seconds(20)) async throws {
        reading.withLock { task in
            guard task == nil else { return }
            task = reader()
        }
        try await log.first("ready", within: limit) { if case .ready = $0.event { () } else { nil } }
    }

    /// Nothing is said any more when it returns.
    public func close() async {
        let task = reading.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
        await task?.value
    }

    /// Goes on after ``close()`` where it was.
    public func reopen() {
        reading.withLock { task in
            if task == nil { task = reader() }
        }
    }

    /// Breaks the connection, as a tunnel does, and takes it up again.
    public func interrupt() async {
        await close()
        reopen()
    }

    private func reader() -> Task<Void, Never> { Task(executorPreference: phone.network.thread) { await self.read() } }

    private func read() async {
        while !Task.isCancelled {
            do {
                var parser = ServerSentEventParser()
                try await phone.listen(after: lastID.withLock { $0 }) { bytes, now in
                    for event in try parser.consume(bytes.readableBytesView) { take(event, now) }
                }
            } catch is CancellationError {
                return
            } catch {
                // Whatever ended it, the next attempt goes on after the last id.
                guard !Task.isCancelled else { return }
                phone.network.traffic.broke()
            }
            phone.network.traffic.resumed()
            // try?: cancelled ends the loop.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 50...300)))
        }
    }

    private func take(_ event: ServerSentEvent, _ now: ContinuousClock.Instant) {
        if event.hasID { lastID.withLock { $0 = event.lastID } }
        // `ready` names the number that the stream goes on after; it is no event of its own.
        let isCounted = event.hasID && event.name != "ready"
        let known = StreamEvent(event)
        log.append(StreamLog.Entry(id: isCounted ? event.lastID : nil, at: now, event: known))
        if case .ready(hasMissed: true) = known { readAgain() }
    }

    // MARK: What was missed

    /// Reads the lists again, as an app does, beside what the stream goes on to say. What is read has no id in the log.
    private func readAgain() {
        let known = log.entries
        reading.withLock { [phone, log] task in
            // Closed meanwhile: whoever opens it again hears the same.
            guard task != nil else { return }
            Task(executorPreference: phone.network.thread) {
                do {
                    try await Self.readAgain(phone, known, into: log)
                } catch {
                    log.append(
                        StreamLog.Entry(
                            id: nil, at: .now, event: .unreadable(name: "what was missed", why: "\(error)")))
                }
            }
        }
    }

    private static func readAgain(_ phone: Phone, _ known: [StreamLog.Entry], into log: StreamLog) async throws {
        func add(_ event: StreamEvent) { log.append(StreamLog.Entry(id: nil, at: .now, event: event)) }
        var open: Set<UUID> = []
        var items: Set<String> = []
        for entry in known {
            switch entry.event {
            case .order(let order) where order.state.isFinal: open.remove(order.id)
            case .order(let order): open.insert(order.id)
            case .inbox(let item): items.insert(item.id)
            default: break
            }
        }
        for (role, section) in [("customer", "active"), ("provider", "new")] {
            for order in try await phone.orders(as: role, section: section).items {
                open.remove(order.id)
                add(.order(order))
            }
        }
        for order in open {
            do {
                add(.order(try await phone.order(order)))
            } catch let refusal as Refusal where refusal.status == 404 {
                add(.undone(order: order))
            }
        }
        for item in try await phone.inbox() where !items.contains(item.id) { add(.inbox(item)) }
    }
}
