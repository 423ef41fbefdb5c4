import Phones
import Testing

@Suite("Server-sent events")
struct ServerSentEventParserTests {
    private func parse(_ chunks: [String]) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        return try chunks.flatMap { try parser.consume($0.utf8) }
    }

    private func event(
        _ data: String, name: String = "message", id: String? = nil, hasID: Bool = false
    ) -> ServerSentEvent {
        ServerSentEvent(lastID: id, hasID: hasID, name: name, data: data)
    }

    @Test("N3: an event is its fields up to the empty line")
    func plain() throws {
        let events = try parse(["event: order\nid: 7\ndata: {\"a\":1}\n\n"])
        #expect(events == [event("{\"a\":1}", name: "order", id: "7", hasID: true)])
    }

    @Test("N3: the same bytes cut anywhere are the same events", arguments: 1...12)
    func cut(size: Int) throws {
        let text = "\u{FEFF}: hello\r\nevent: inbox\r\nid: 1\r\ndata: ä\r\ndata: second\r\n\r\n:\n\ndata:x\rid\r\r"
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.consume(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == [event("ä\nsecond", name: "inbox", id: "1", hasID: true), event("x", hasID: true)])
        #expect(parser.commentCount == 2)
    }

    @Test("N3: an id holds for the events after it, and only its own event names it")
    func ids() throws {
        let events = try parse(["id: 3\ndata: a\n\ndata: b\n\nid: 4\ndata: c\n\n"])
        #expect(events.map(\.lastID) == ["3", "3", "4"])
        #expect(events.map(\.hasID) == [true, false, true])
    }

    @Test("N3: an id with a NUL is no id, and an event without data is none")
    func nothing() throws {
        #expect(try parse(["id: a\0b\ndata: x\n\n"]) == [event("x")])
        #expect(try parse(["event: order\nid: 9\n\n"]).isEmpty)
        #expect(try parse(["retry: 10\nunknown: y\ndata\n\n"]) == [event("")])
    }

    @Test("N3: one space after the colon belongs to the field, a second to the value")
    func spaces() throws {
        #expect(try parse(["data:  x \n\n"]) == [event(" x ")])
    }

    @Test("N3: an event that is not ended yet is not told")
    func unfinished() throws {
        #expect(try parse(["data: x\n"]).isEmpty)
        #expect(try parse(["data: x\n", "\n"]) == [event("x")])
    }

    @Test("N3: a line without an end is an error before it fills the memory")
    func endless() {
        var parser = ServerSentEventParser(limitBytes: 100)
        #expect(throws: ServerSentEventParser.TooLong(limitBytes: 100)) {
            for _ in 0..<20 { _ = try parser.consume(Array(repeating: UInt8(ascii: "a"), count: 10)) }
        }
    }
}
