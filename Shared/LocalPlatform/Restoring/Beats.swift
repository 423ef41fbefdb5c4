import Foundation

/// A row a moment, by which it is known up to when a database that was set back has everything: what was committed before a row
/// that is there is there, too.
actor Beats {
    private struct Beat {
        let sent: Date
        var acknowledged: Date?
    }

    private nonisolated let ground: ChaosGround
    private var beats: [Beat] = []

    private static let pause = Duration.milliseconds(500)

    init(_ ground: ChaosGround) async throws {
        self.ground = ground
        try await ground.sql("CREATE SCHEMA drill; CREATE TABLE drill.beats (number int PRIMARY KEY)")
    }

    /// Writes until it is cancelled. While the database is away nothing is acknowledged.
    func write() async {
        while !Task.isCancelled {
            let number = beats.count
            beats.append(Beat(sent: .now))
            // try?: an unacknowledged row may be there or not.
            if (try? await ground.sql("INSERT INTO drill.beats VALUES (\(number))")) != nil {
                beats[number].acknowledged = .now
            }
            // try?: cancelled ends the loop.
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// The rows from before the database was destroyed, as far as the restored database has them.
    struct Found: Sendable {
        /// Acknowledged rows that are there.
        var kept = 0
        /// When the last row that is there was acknowledged.
        var last: Date?
        /// When the first acknowledged row that is not there was.
        var firstLost: Date?
        /// When the last row that is there was sent.
        var lastSent: Date?
    }

    /// - Parameter end: when the database was destroyed.
    func found(before end: Date) async throws -> Found {
        let there = Set(
            try await ground.sql("SELECT number FROM drill.beats").split(separator: "\n").compactMap { Int($0) })
        var found = Found()
        for (number, beat) in beats.enumerated() where beat.sent < end {
            if there.contains(number) { found.lastSent = beat.sent }
            guard let acknowledged = beat.acknowledged, acknowledged < end else { continue }
            if there.contains(number) {
                found.kept += 1
                found.last = acknowledged
            } else {
                if found.firstLost == nil { found.firstLost = acknowledged }
                // Told once: a later restore has not lost it.
                beats[number].acknowledged = nil
            }
        }
        return found
    }
}
