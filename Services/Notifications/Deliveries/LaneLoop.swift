import PollThread
import Postgres

/// Sends what is due until its task is cancelled. Nothing waits for another lane's messages: as soon as there is room, more are
/// claimed, but none of a lane that has its share of what is under way.
struct LaneLoop<Item: Sendable>: Sendable {
    let pool: PostgresPool
    let poll: Duration
    let lane: @Sendable (Item) -> String
    /// At most so many that are due, none of the lanes that are full.
    let claim: @Sendable (_ limit: Int, _ full: [String]) async -> [Item]
    let send: @Sendable (Item) async -> Void

    func run() async {
        await withTaskGroup(of: String?.self) { group in
            var lanes = SendingLanes()
            group.addTask { await pause() }
            while !Task.isCancelled {
                while lanes.mayClaim {
                    let due = await claim(SendingLanes.batch, lanes.full)
                    lanes.begin(due.map(lane))
                    for item in due {
                        group.addTask {
                            await send(item)
                            return lane(item)
                        }
                    }
                }
                guard let ended = await group.next() else { return }
                if let ended {
                    lanes.end(ended)
                } else {
                    lanes.look()
                    group.addTask { await pause() }
                }
            }
        }
    }

    private func pause() async -> String? {
        // try?: a cancelled pause ends, and so does the loop around it.
        try? await pool.thread.sleep(until: .now + poll)
        return nil
    }
}
