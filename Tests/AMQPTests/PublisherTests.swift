import AMQP
import Logging
import TestKit
import Testing

@Suite("Publishing", .timeLimit(.minutes(15)))
struct PublisherTests {
    @Test("a confirmed message is in the queue, with its properties")
    func confirmed() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q")) { publisher in
                let properties = AMQP.MessageProperties(
                    messageID: "id-1", type: "a.b.v1", timestampSeconds: 1_700_000_000, correlationID: "c",
                    appID: "app",
                    contentType: "application/json", expiration: .seconds(60),
                    headers: ["text": "t", "number": -5, "flag": true])
                let message = OutboundMessage(exchange: "", routingKey: "q", body: [1, 2, 3], properties: properties)
                try await publisher.publish(message, deadline: soon)
                try await withConsumer(host.url, queue: "q") { consumer in
                    let delivery = try #require(try await consumer.take(1).first)
                    #expect(delivery.properties == properties)
                    #expect(delivery.body == [1, 2, 3])
                    #expect(delivery.exchange == "" && delivery.routingKey == "q" && !delivery.isRedelivered)
                }
            }
        }
    }

    @Test("a publish that cannot be routed is an error, unless it is not mandatory")
    func unroutable() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url) { publisher in
                await #expect(throws: PublishError.unroutable(code: 312, text: "NO_ROUTE")) {
                    try await publisher.publish(message("a", to: "nowhere"), deadline: soon)
                }
                var optional = message("b", to: "nowhere")
                optional.isMandatory = false
                try await publisher.publish(optional, deadline: soon)
            }
        }
    }

    @Test("in a batch, only what cannot be routed fails")
    func batchWithUnroutable() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q")) { publisher in
                let batch = (0..<500).map { message("m\($0)", to: $0 == 123 ? "nowhere" : "q") }
                let outcomes = await publisher.publish(batch: batch, deadline: soon)
                #expect(outcomes.count == 500)
                for (index, outcome) in outcomes.enumerated() where index != 123 { try outcome.get() }
                #expect(throws: PublishError.unroutable(code: 312, text: "NO_ROUTE")) { try outcomes[123].get() }
                try await eventually("499 messages are in the queue") { try await host.queueDepth("q") == 499 }
                #expect(await publisher.publish(batch: [], deadline: soon).isEmpty)
            }
        }
    }

    @Test("an exchange that is not there is told by its name, and the publisher goes on")
    func noExchange() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q")) { publisher in
                do throws(PublishError) {
                    try await publisher.publish(message("a", to: "q", exchange: "missing"), deadline: soon)
                    Issue.record("published to an exchange that does not exist")
                } catch {
                    guard case .exchangeUnavailable(404, _) = error else { throw error }
                }
                try await publisher.publish(message("b", to: "q"), deadline: soon)
            }
        }
    }

    @Test("a full queue that rejects is told as refused")
    func refused() async throws {
        try await TestBroker.withVirtualHost { host in
            let full = Topology(queues: [.classic("q", maxLength: 1, overflow: .rejectPublish)])
            try await withPublisher(host.url, topology: full) { publisher in
                try await publisher.publish(message("a", to: "q"), deadline: soon)
                await #expect(throws: PublishError.refused) {
                    try await publisher.publish(message("b", to: "q"), deadline: soon)
                }
            }
        }
    }

    @Test("what AMQP or the limit does not allow is refused before it is sent")
    func invalid() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q"), bodyLimitBytes: 10) { publisher in
                await #expect(throws: PublishError.tooLarge(bytes: 11, limitBytes: 10)) {
                    let large = OutboundMessage(exchange: "", routingKey: "q", body: .init(repeating: 0, count: 11))
                    try await publisher.publish(large, deadline: soon)
                }
                await #expect(throws: PublishError.self) {
                    try await publisher.publish(message("a", to: String(repeating: "k", count: 256)), deadline: soon)
                }
                await #expect(throws: PublishError.self) {
                    var heavy = message("b", to: "q")
                    heavy.properties.headers["h"] = .string(String(repeating: "x", count: 70_000))
                    try await publisher.publish(heavy, deadline: soon)
                }
                try await publisher.publish(message("c", to: "q"), deadline: soon)
                try await eventually("1 messages are in the queue") { try await host.queueDepth("q") == 1 }
            }
        }
    }

    @Test("many tasks at once, few in flight: each is told, each arrives")
    func manyTasks() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q"), inFlightLimit: 3) { publisher in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<200 {
                        group.addTask { try await publisher.publish(message("m\(number)", to: "q"), deadline: soon) }
                    }
                    try await group.waitForAll()
                }
                try await eventually("200 messages are in the queue") { try await host.queueDepth("q") == 200 }
            }
        }
    }

    @Test("no more than the bound is in flight: the rest was certainly not sent")
    func inFlightBound() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                let url = proxy.url(rewriting: host.url)
                try await withPublisher(url, topology: quorum("q"), inFlightLimit: 2) { publisher in
                    try await publisher.publish(message("before", to: "q"), deadline: soon)
                    await proxy.stall()
                    let cancelled = Task {
                        try await publisher.publish(message("cancelled", to: "q"), deadline: .now + .seconds(60))
                    }
                    let outcomes = await publisher.publish(
                        batch: (0..<5).map { message("\($0)", to: "q") }, deadline: .now + .milliseconds(500))
                    let errors = outcomes.compactMap { outcome in
                        if case .failure(let error) = outcome { error } else { nil }
                    }
                    #expect(errors.filter { $0 == .notSent(.deadlineExceeded) }.count >= 3)
                    #expect(
                        errors.filter { $0 == .outcomeUnknown(.deadlineExceeded) }.count == 5
                            - errors.filter(\.isDefinite).count)
                    // It was first, or among those that found no room.
                    cancelled.cancel()
                    await #expect(throws: PublishError.self) { try await cancelled.value }
                    // What was written before the stall arrives, and makes room.
                    await proxy.resume()
                    try await publisher.publish(message("after", to: "q"), deadline: soon)
                }
            }
        }
    }

    @Test("what nobody waits for any more does not keep the room for ever: a new connection sends what waits")
    func abandonedRoom() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                let url = proxy.url(rewriting: host.url)
                try await withPublisher(url, topology: quorum("q"), inFlightLimit: 1) { publisher in
                    try await publisher.publish(message("before", to: "q"), deadline: soon)
                    await proxy.stall()
                    await #expect(throws: PublishError.outcomeUnknown(.deadlineExceeded)) {
                        try await publisher.publish(message("1", to: "q"), deadline: .now + .milliseconds(300))
                    }
                    // It takes the only room; the broker's word about it is behind the stall.
                    let waiting = Task { try await publisher.publish(message("2", to: "q"), deadline: soon) }
                    await proxy.resume()
                    try await waiting.value
                }
            }
        }
    }

    @Test("one task's messages keep their order")
    func order() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q"), inFlightLimit: 7) { publisher in
                try await publisher.publishAll((0..<300).map { message("\($0)", to: "q") })
            }
            try await withConsumer(host.url, queue: "q") { consumer in
                let found = try await consumer.take(300).map(\.text)
                #expect(found == (0..<300).map(String.init))
            }
        }
    }

    @Test("without a broker a publish waits until its deadline and was not sent")
    func deadlineWithoutBroker() async throws {
        let publisher = Publisher(
            try testConfiguration("amqp://127.0.0.1:1/", name: "nobody"), logger: silentLogger)
        // Not even running yet.
        let start = ContinuousClock.now
        await #expect(throws: PublishError.notSent(.deadlineExceeded)) {
            try await publisher.publish(message("a", to: "q"), deadline: .now + .milliseconds(100))
        }
        let running = Task { try await publisher.run() }
        let outcomes = await publisher.publish(
            batch: [message("a", to: "q"), message("b", to: "q")], deadline: .now + .milliseconds(100))
        #expect(outcomes.allSatisfy { if case .failure(.notSent(.deadlineExceeded)) = $0 { true } else { false } })
        #expect(start.duration(to: .now) < .seconds(45))
        await publisher.close(within: .zero)
        try await running.value
        await #expect(throws: PublishError.notSent(.closed)) {
            try await publisher.publish(message("a", to: "q"), deadline: soon)
        }
    }

    @Test("cancelling the task ends the wait")
    func cancelled() async throws {
        let publisher = Publisher(
            try testConfiguration("amqp://127.0.0.1:1/", name: "nobody"), logger: silentLogger)
        let publishing = Task { try await publisher.publish(message("a", to: "q"), deadline: .now + .seconds(100)) }
        publishing.cancel()
        await #expect(throws: PublishError.notSent(.cancelled)) { try await publishing.value }
    }

    @Test("cancelling run() ends it, and all that wait")
    func runCancelled() async throws {
        try await TestBroker.withVirtualHost { host in
            let publisher = Publisher(
                try testConfiguration(host.url, name: "cancelled"), topology: quorum("q"), logger: silentLogger)
            let running = Task { try await publisher.run() }
            try await publisher.publish(message("a", to: "q"), deadline: soon)
            running.cancel()
            try await running.value
            await #expect(throws: PublishError.notSent(.closed)) {
                try await publisher.publish(message("b", to: "q"), deadline: soon)
            }
        }
    }

    @Test("a wrong password fails at once, an unknown virtual host too")
    func fatal() async throws {
        try await TestBroker.withVirtualHost { host in
            var configuration = try testConfiguration(host.url, name: "intruder")
            configuration.url.password = "wrong"
            let intruder = Publisher(configuration, logger: silentLogger)
            let error = await #expect(throws: AMQPError.self) { try await intruder.run() }
            #expect(error?.code == .authenticationFailed)
            await #expect(throws: PublishError.notSent(.closed)) {
                try await intruder.publish(message("a", to: "q"), deadline: soon)
            }
            configuration = try testConfiguration(host.url, name: "lost")
            configuration.url.virtualHost = "no such host"
            let lost = Publisher(configuration, logger: silentLogger)
            await #expect(throws: AMQPError.self) { try await lost.run() }
        }
    }

    @Test("a 9 MB body goes both ways; what is over the consumer's limit is rejected")
    func largeBody() async throws {
        try await TestBroker.withVirtualHost { host in
            let topology = Topology(queues: [
                .quorum("q", deadLetter: DeadLetter(exchange: "", routingKey: "dead")), .quorum("dead"),
            ])
            var generator = SeededGenerator(seed: 9)
            let body = (0..<(9 << 20) / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
            let large = OutboundMessage(exchange: "", routingKey: "q", body: body)
            try await withPublisher(host.url, topology: topology) { publisher in
                try await publisher.publish(large, deadline: soon)
                try await withConsumer(host.url, queue: "q") { consumer in
                    let found = try await consumer.take(1).first?.body
                    #expect(found == body)
                }
                try await publisher.publish(large, deadline: soon)
                try await publisher.publish(message("small", to: "q"), deadline: soon)
                try await withConsumer(host.url, queue: "q", bodyLimitBytes: 1 << 20) { consumer in
                    let found = try await consumer.take(1).map(\.text)
                    #expect(found == ["small"])
                }
                try await eventually("the large one is a dead letter") { try await host.queueDepth("dead") == 1 }
            }
        }
    }
}
