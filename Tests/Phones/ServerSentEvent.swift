/// One event of a stream of server-sent events.
public struct ServerSentEvent: Equatable, Sendable {
    /// The id that holds after this event: its own, or that of an earlier one.
    public var lastID: String?
    /// Whether the event itself named the id.
    public var hasID: Bool
    public var name: String
    public var data: String

    public init(lastID: String?, hasID: Bool, name: String, data: String) {
        self.lastID = lastID
        self.hasID = hasID
        self.name = name
        self.data = data
    }
}
