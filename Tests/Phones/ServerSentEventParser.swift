/// Turns bytes of `text/event-stream` into events, however they are cut (WHATWG HTML, "Server-sent events").
///
/// A line ends with LF, CR or CR LF; a comment (`: …`) and an event without data say nothing; a line that is longer than
/// the limit is an error, as is text that is not UTF-8 replaced.
public struct ServerSentEventParser: Sendable {
    public struct TooLong: Error, Equatable {
        public let limitBytes: Int
        public init(limitBytes: Int) { self.limitBytes = limitBytes }
    }

    private let limitBytes: Int
    private var line: [UInt8] = []
    private var skipsLineFeed = false
    private var isFirstLine = true
    private var lastID: String?
    private var hasID = false
    private var name = ""
    private var data: [String] = []
    private var dataBytes = 0
    /// Comments so far: a sign of life.
    public private(set) var commentCount = 0

    public init(limitBytes: Int = 1 << 20) { self.limitBytes = limitBytes }

    /// - Returns: the events that these bytes complete.
    public mutating func consume(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            if skipsLineFeed {
                skipsLineFeed = false
                if byte == UInt8(ascii: "\n") { continue }
            }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                skipsLineFeed = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                guard line.count + dataBytes < limitBytes else { throw TooLong(limitBytes: limitBytes) }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer {
            line.removeAll(keepingCapacity: true)
            isFirstLine = false
        }
        // A byte order mark may begin the stream.
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        if line.isEmpty { return endEvent() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            field(String(decoding: line, as: UTF8.self), "")
            return nil
        }
        if colon == line.startIndex {
            commentCount += 1
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        field(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func field(_ field: String, _ value: String) {
        switch field {
        case "event": name = value
        case "data":
            data.append(value)
            dataBytes += value.utf8.count + 1
        case "id" where !value.utf8.contains(0):
            lastID = value.isEmpty ? nil : value
            hasID = true
        default: break  // `retry` and what is unknown: this reader has its own pauses.
        }
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            name = ""
            data.removeAll(keepingCapacity: true)
            dataBytes = 0
            hasID = false
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            lastID: lastID, hasID: hasID, name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
}
