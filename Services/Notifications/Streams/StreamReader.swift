import Foundation
import Logging
import PollThread
import Postgres
import ServiceLifecycle

/// Reads the events of streams that have news, many streams per query, and delivers them.
struct StreamReader: Service {
    let hub: StreamHub
    let pool: PostgresPool
    let texts: StreamTexts
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let streams = hub.takeQueued(hub.limits.round)
                if streams.isEmpty {
                    _ = await hub.readable.wait(until: .now + .seconds(30), on: pool.thread)
                } else if await !read(streams) {
                    // The regular check queues the streams again.
                    do { try await pool.thread.sleep(until: .now + .milliseconds(200)) } catch { return }
                }
            }
        }
    }

    /// - Returns: whether the query succeeded.
    private func read(_ streams: [ConnectedStream]) async -> Bool {
        let reading = streams.compactMap { stream in stream.beginReading().map { (stream: stream, mark: $0) } }
        guard !reading.isEmpty else { return true }
        let rows: [StoredEvent]
        do {
            rows = try await pool.query(ReadStreams(marks: reading.map(\.mark), limit: hub.limits.page))
        } catch {
            for (stream, _) in reading { stream.failed() }
            logger.warning("streams not read", metadata: ["error": "\(error)"])
            return false
        }
        let byStream = Dictionary(grouping: rows, by: \.stream)
        for (stream, mark) in reading {
            let events = byStream[stream.id] ?? []
            var (text, last) = ("", mark.after)
            for event in events {
                // Numbers have no gaps, so missing ones were purged before they could be read.
                if event.seq != last + 1 { text += ServerSentEvent.ready(after: event.seq - 1, hasMissed: true).text }
                text += texts.text(event, fallback: stream.language)
                last = event.seq
            }
            let hasMore = events.count == hub.limits.page
            stream.deliver(text, upTo: events.last?.seq, hasMore: hasMore)
            // There may be newer events. Also, a page of deleted items gives no text that the session would take.
            hub.read([stream], hasNews: false)
        }
        StreamMetrics.sent(rows.count)
        return true
    }
}
