import Foundation
import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Notifies other processes of new events, and receives their notifications.
///
/// `NOTIFY` is collected for some milliseconds and sent outside of the transactions, because inside it would make them
/// wait for one lock. It may be lost; the poll of ``StreamWatch`` finds the events.
struct StreamSignals: Service {
    let hub: StreamHub
    let pool: PostgresPool
    let logger: Logger
    /// Marks this process's notifications, which it ignores itself.
    private let origin = UUID()

    init(hub: StreamHub, pool: PostgresPool, logger: Logger) {
        self.hub = hub
        self.pool = pool
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await tell() }
                group.addTask { await listen() }
            }
        }
    }

    private func tell() async {
        while !Task.isCancelled {
            guard await hub.tellable.wait(until: .now + .seconds(30), on: pool.thread) else { continue }
            do {
                try await pool.thread.sleep(until: .now + hub.limits.gather)
                let (accounts, markets) = (hub.takeForOthers(), hub.takeMarkets())
                var payloads = StreamNotification.payloads(accounts, from: origin)
                if !markets.isEmpty { payloads.append(WaitingSignal(markets: markets).payload) }
                guard !payloads.isEmpty else { continue }
                try await pool.execute(NotifyStreams(payloads: payloads))
            } catch {
                if Task.isCancelled { return }
                logger.warning("other processes not told", metadata: ["error": "\(error)"])
            }
        }
    }

    /// As with positions, only the newest of each conversation waits for a reader. All have one time: none is older.
    private func tell(_ typing: TypingSignal) {
        let event = ServerSentEvent("typing", data: typing.data)
        hub.tell(position: event.text, order: typing.conversation, at: .distantPast, to: typing.accounts)
    }

    /// To this process's admins, too: it has not told them otherwise.
    private func tell(_ waiting: WaitingSignal) {
        for market in waiting.markets {
            hub.tell(ServerSentEvent("waiting", data: "{\"market\":\"\(market)\"}").text, toAdminsOf: market)
        }
    }

    private func listen() async {
        let listener = PostgresListener(
            pool.connectionConfiguration, channel: NotifyStreams.channel, thread: pool.thread, logger: logger)
        for await event in listener {
            switch event {
            // Notifications from before the subscription are lost, so all streams are read.
            case .listening: hub.read(hub.all, hasNews: true)
            case .notification(let payload):
                if let typing = TypingSignal(payload) {
                    tell(typing)
                    continue
                }
                if let waiting = WaitingSignal(payload) {
                    tell(waiting)
                    continue
                }
                guard let news = StreamNotification(payload), news.origin != origin else { continue }
                hub.wake(news.accounts)
            }
        }
    }
}
