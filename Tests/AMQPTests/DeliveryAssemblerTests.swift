import Testing

@testable import AMQP

@Suite("Assembling deliveries")
struct DeliveryAssemblerTests {
    let announced = DeliveryAssembler.Announcement.delivery(
        number: 7, exchange: "e", routingKey: "k", isRedelivered: true)

    func fragment(_ text: String, _ assembler: inout DeliveryAssembler) throws -> ChannelEvent? {
        try Array(text.utf8).withUnsafeBytes { try assembler.fragment($0) }
    }

    func delivery(_ event: ChannelEvent?) throws -> Delivery {
        guard case .delivery(let delivery)? = event else { throw Unexpected(event: "\(String(describing: event))") }
        return delivery
    }

    func isNothing(_ event: ChannelEvent?) -> Bool {
        if case .none = event { true } else { false }
    }

    struct Unexpected: Error { let event: String }

    @Test("a body in three fragments")
    func fragments() throws {
        var assembler = DeliveryAssembler(epoch: 3, bodyLimitBytes: 100)
        try assembler.begin(announced)
        #expect(isNothing(try assembler.header(bodyBytes: 6, properties: .init(messageID: "m"))))
        #expect(isNothing(try fragment("ab", &assembler)))
        #expect(isNothing(try fragment("cde", &assembler)))
        let whole = try delivery(try fragment("f", &assembler))
        #expect(whole.tag == DeliveryTag(epoch: 3, number: 7))
        #expect(whole.body == Array("abcdef".utf8))
        #expect(whole.exchange == "e" && whole.routingKey == "k" && whole.isRedelivered)
        #expect(whole.properties.messageID == "m")
    }

    @Test("no body, no fragment; then another")
    func empty() throws {
        var assembler = DeliveryAssembler(epoch: 1, bodyLimitBytes: 100)
        try assembler.begin(announced)
        #expect(try delivery(try assembler.header(bodyBytes: 0, properties: .init())).body == [])
        try assembler.begin(announced)
        #expect(isNothing(try assembler.header(bodyBytes: 1, properties: .init())))
        #expect(try delivery(try fragment("x", &assembler)).body == Array("x".utf8))
    }

    @Test("a body over the limit is read to its end and not kept")
    func tooLarge() throws {
        var assembler = DeliveryAssembler(epoch: 1, bodyLimitBytes: 3)
        try assembler.begin(announced)
        #expect(isNothing(try assembler.header(bodyBytes: 4, properties: .init())))
        #expect(isNothing(try fragment("ab", &assembler)))
        guard case .tooLarge(number: 7, bytes: 4)? = try fragment("cd", &assembler) else {
            Issue.record("not told to be too large")
            return
        }
        try assembler.begin(announced)
    }

    @Test("a return tells the message by exchange, key and id")
    func returned() throws {
        var assembler = DeliveryAssembler(epoch: 1, bodyLimitBytes: 3)
        try assembler.begin(.returned(code: 312, text: "NO_ROUTE", exchange: "e", routingKey: "k"))
        #expect(isNothing(try assembler.header(bodyBytes: 5, properties: .init(messageID: "m"))))
        guard case .returned(let message)? = try fragment("hello", &assembler) else {
            Issue.record("not returned")
            return
        }
        #expect(
            message == ReturnedMessage(code: 312, text: "NO_ROUTE", exchange: "e", routingKey: "k", messageID: "m"))
    }

    @Test("frames out of order end the connection")
    func outOfOrder() throws {
        var assembler = DeliveryAssembler(epoch: 1, bodyLimitBytes: 100)
        #expect(throws: AMQPError.self) { _ = try assembler.header(bodyBytes: 1, properties: .init()) }
        #expect(throws: AMQPError.self) { _ = try fragment("a", &assembler) }
        try assembler.begin(announced)
        #expect(throws: AMQPError.self) { try assembler.begin(announced) }
        #expect(throws: AMQPError.self) { _ = try fragment("a", &assembler) }
        #expect(isNothing(try assembler.header(bodyBytes: 1, properties: .init())))
        #expect(throws: AMQPError.self) { _ = try fragment("ab", &assembler) }
    }
}
