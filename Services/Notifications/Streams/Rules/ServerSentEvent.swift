/// One event of a `text/event-stream` (HTML standard, 9.2). Data is JSON, which has no line ends in it.
struct ServerSentEvent: Sendable, Equatable {
    /// By which a client resumes. Nil for what is worth something only now.
    var id: Int?
    var name: String
    var data: String
    /// When a client that lost the stream should come again.
    var retryMilliseconds: Int?

    init(_ name: String, id: Int? = nil, data: String = "{}", retryMilliseconds: Int? = nil) {
        self.id = id
        self.name = name
        self.data = data
        self.retryMilliseconds = retryMilliseconds
    }

    /// What comes after the number follows.
    /// - Parameter hasMissed: some that the client asked for are gone.
    static func ready(after number: Int, hasMissed: Bool, retryMilliseconds: Int? = nil) -> ServerSentEvent {
        ServerSentEvent(
            "ready", id: number, data: "{\"id\":\(number),\"missed\":\(hasMissed)}",
            retryMilliseconds: retryMilliseconds)
    }

    /// A comment, which clients ignore: it keeps proxies from closing the stream and finds out dead readers.
    static let heartbeat = ": \n\n"

    var text: String {
        var text = ""
        if let id { text += "id: \(id)\n" }
        if let retryMilliseconds { text += "retry: \(retryMilliseconds)\n" }
        return text + "event: \(name)\ndata: \(data)\n\n"
    }
}
