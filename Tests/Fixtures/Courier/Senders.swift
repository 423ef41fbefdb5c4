import Foundation
import Messaging
import PollThread
import Postgres
import ServiceLifecycle

/// Sends parcels as fast as commits allow, with a short pause so that others have their turn.
struct Senders: Service {
    let pool: PostgresPool
    let count: Int

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { await send() } }
                // Without senders too it is a service that runs until it is told to stop.
                group.addTask { await sleepUntilCancelled() }
            }
        }
    }

    private func send() async {
        let route = UUID.timeOrdered()
        var number = 0
        while !Task.isCancelled {
            let parcel = UUID.timeOrdered()
            number += 1
            do {
                try await pool.withTransaction { [number] transaction in
                    transaction.send(InsertSent(parcel: parcel))
                    transaction.set(Deadline(kind: "parcel.overdue", subject: parcel.text, dueAt: Date() + 0.2))
                    try transaction.publish(ParcelSent(parcel: parcel))
                    try transaction.publish(RouteMoved(route: route, number: number))
                }
                try await pool.thread.sleep(until: .now + .milliseconds(5))
            } catch {
                // The database is away or the process stops; what was not committed was not sent.
                do { try await pool.thread.sleep(until: .now + .milliseconds(50)) } catch { return }
            }
        }
    }

    private func sleepUntilCancelled() async {
        while !Task.isCancelled {
            do { try await pool.thread.sleep(until: .now + .seconds(3600)) } catch { return }
        }
    }
}
