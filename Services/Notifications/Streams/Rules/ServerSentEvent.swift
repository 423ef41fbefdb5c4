/// One event of a `text/event-stream` (HTML standard, 9.2). Its data is JSON without line ends.
struct ServerSentEvent: Sendable, Equatable {
    /// The number from which a client resumes. Nil for events that matter only now.
    var id: Int?
    var name: String
    var data: String
    /// The delay before a client reconnects.
    var retryMilliseconds: Int?

    init(_ name: String, id: Int? = nil, data: String = "{}", retryMilliseconds: Int? = nil) {
        self.id = id
        self.name = name
        self.data = data
        self.retryMilliseconds = retryMilliseconds
    }

    /// The event `ready`; events after the number follow.
    /// - Parameter hasMissed: whether some of the requested events are purged.
    static func ready(after number: Int, hasMissed: Bool, retryMilliseconds: Int? = nil) -> ServerSentEvent {
        ServerSentEvent(
            "ready", id: number, data: "{\"id\":\(number),\"missed\":\(hasMissed)}",
            retryMilliseconds: retryMilliseconds)
    }

    /// A comment, which clients ignore: it keeps proxies from closing the connection and detects dead readers.
    static let heartbeat = ": \n\n"

    var text: String {
        var text = ""
        if let id { text += "id: \(id)\n" }
        if let retryMilliseconds { text += "retry: \(retryMilliseconds)\n" }
        return text + "event: \(name)\ndata: \(data)\n\n"
    }
}
