/// What the streams of a process may take.
struct StreamLimits: Sendable {
    /// Of the process; who asks for one more is refused.
    var streams = 3_500
    /// Of these, how many are left to people with running orders: a fifth.
    var reserved: Int { streams / 5 }
    /// Of one address (of IPv6 a /64), except for people with running orders: many phones share one behind a carrier.
    var streamsPerAddress = 350
    /// Of one account; a further one takes the place of the oldest.
    var streamsPerAccount = 8
    /// Silence after which a comment is sent.
    var heartbeat: Duration = .seconds(15)
    /// How long a reader may leave what is written to it before its connection is ended. It resumes where it was.
    var write: Duration = .seconds(20)
    /// Between two looks at all streams.
    var look: Duration = .milliseconds(500)
    /// Between two questions to the database whether there is something that nobody has told of.
    var poll: Duration = .seconds(2)
    /// How long news for other processes are gathered. Each `NOTIFY` wakes every session of the database that listens to
    /// anything.
    var gather: Duration = .milliseconds(20)
    /// Events of one stream that are read at once.
    var page = 64
    /// Streams that are read for at once.
    var round = 200
    /// How long streams have to say goodbye at shutdown.
    var farewell: Duration = .milliseconds(500)
}
