/// The limits of a process's streams.
struct StreamLimits: Sendable {
    /// Per process; further streams are refused.
    var streams = 6_250
    /// The part of them that is reserved for people with running orders: a fifth.
    var reserved: Int { streams / 5 }
    /// Per address (a /64 for IPv6), not counted for people with running orders. Many phones share an address behind a
    /// carrier.
    var streamsPerAddress = 350
    /// Per account; a further stream replaces the oldest.
    var streamsPerAccount = 8
    /// The silence after which a comment is sent.
    var heartbeat: Duration = .seconds(15)
    /// The longest time for a reader to accept written bytes; then its connection ends. It can resume where it was.
    var write: Duration = .seconds(20)
    /// The interval of checks of all streams.
    var look: Duration = .milliseconds(500)
    /// The interval of polls for events without a wake-up.
    var poll: Duration = .seconds(2)
    /// The time for which notifications to other processes are collected, because each `NOTIFY` wakes every listening
    /// session of the database.
    var gather: Duration = .milliseconds(20)
    /// The number of events per stream and read.
    var page = 64
    /// The number of streams per read.
    var round = 200
    /// The time for streams to write their farewell at shutdown.
    var farewell: Duration = .milliseconds(500)
}
