import AMQP
import TestKit
import Testing

@Suite("Consuming", .timeLimit(.minutes(15)))
struct ConsumerTests {
    /// A queue with messages `0`, `1`, …
    func withMessages(_ count: Int, _ body: (VirtualHost) async throws -> Void) async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q")) { publisher in
                try await eventually("the queue is declared") { publisher.isConnected }
                try await publisher.publishAll((0..<count).map { message("\($0)", to: "q") })
            }
            try await body(host)
        }
    }

    @Test("one delivery at a time, in order")
    func single() async throws {
        try await withMessages(20) { host in
            try await withConsumer(host.url, queue: "q") { consumer in
                for number in 0..<20 {
                    let batch = try await consumer.nextBatch(upTo: 1)
                    #expect(batch.map(\.text) == ["\(number)"])
                    consumer.ack(batch[0].tag)
                }
            }
            try await eventually("0 messages are in the queue") { try await host.queueDepth("q") == 0 }
        }
    }

    @Test("a batch is full when it has its number, whatever the window")
    func batchByNumber() async throws {
        try await withMessages(100) { host in
            try await withConsumer(host.url, queue: "q") { consumer in
                for _ in 0..<2 {
                    let batch = try await consumer.nextBatch(upTo: 50, within: .seconds(100))
                    #expect(batch.count == 50)
                    consumer.ack(batch.map(\.tag))
                }
            }
            try await eventually("0 messages are in the queue") { try await host.queueDepth("q") == 0 }
        }
    }

    @Test("a batch that does not fill ends with its window; the window begins with the first delivery")
    func batchByTime() async throws {
        try await withMessages(0) { host in
            try await withPublisher(host.url, topology: quorum("q")) { publisher in
                try await withConsumer(host.url, queue: "q") { consumer in
                    async let waiting = consumer.nextBatch(upTo: 50, within: .milliseconds(300))
                    try await publisher.publishAll((0..<3).map { message("\($0)", to: "q") })
                    let batch = try await waiting
                    #expect(batch.map(\.text) == ["0", "1", "2"])
                    consumer.ack(batch.map(\.tag))
                }
            }
        }
    }

    @Test("a batch larger than the prefetch is full when the prefetch is used up")
    func batchOverPrefetch() async throws {
        try await withMessages(30) { host in
            try await withConsumer(host.url, queue: "q", prefetch: 10) { consumer in
                var all: [String] = []
                while all.count < 30 {
                    let batch = try await consumer.nextBatch(upTo: 100, within: .seconds(100))
                    #expect(batch.count <= 10)
                    all += batch.map(\.text)
                    consumer.ack(batch.map(\.tag))
                }
                #expect(all == (0..<30).map(String.init))
            }
        }
    }

    @Test("no more than the prefetch is out, until something is settled")
    func prefetch() async throws {
        try await withMessages(20) { host in
            try await withConsumer(host.url, queue: "q", prefetch: 5) { consumer in
                let first = try await consumer.nextBatch(upTo: 20, within: .seconds(100))
                #expect(first.count == 5)
                consumer.ack(first[2].tag)
                let second = try await consumer.nextBatch(upTo: 20, within: .seconds(100))
                #expect(second.map(\.text) == ["5"])
            }
        }
    }

    @Test("acks in any order settle all")
    func anyOrder() async throws {
        try await withMessages(200) { host in
            try await withConsumer(host.url, queue: "q") { consumer in
                var generator = SeededGenerator()
                var tags: [DeliveryTag] = []
                while tags.count < 200 { tags += try await consumer.nextBatch(upTo: 200).map(\.tag) }
                for tag in tags.shuffled(using: &generator) { consumer.ack(tag) }
                try await eventually("all are settled, \(generator)") { try await host.queueDepth("q") == 0 }
            }
        }
    }

    @Test("many workers share the deliveries, each once")
    func workers() async throws {
        try await withMessages(2000) { host in
            try await withConsumer(host.url, queue: "q", prefetch: 100) { consumer in
                let tally = Tally()
                let texts = try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            var texts: [String] = []
                            while true {
                                let batch = try await consumer.nextBatch(upTo: 3, within: .milliseconds(20))
                                guard !batch.isEmpty else { return texts }
                                texts += batch.map(\.text)
                                consumer.ack(batch.map(\.tag))
                                for delivery in batch { tally.delivered(delivery.text) }
                            }
                        }
                    }
                    try await eventually("all are taken") { tally.deliveredCount == 2000 }
                    await consumer.drain(within: .seconds(5))
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(texts.count == 2000)
                #expect(Set(texts).count == 2000)
            }
        }
    }

    @Test("an ack of an earlier connection is harmless, and the message comes again")
    func staleAck() async throws {
        try await withMessages(1) { host in
            try await withConsumer(host.url, queue: "q") { consumer in
                let before = try #require(try await consumer.nextBatch(upTo: 1).first)
                try await host.closeAllConnections()
                let after = try #require(try await consumer.nextBatch(upTo: 1).first)
                #expect(after.text == before.text && after.tag.epoch > before.tag.epoch && after.isRedelivered)
                #expect(after.deliveryCount == 1)
                consumer.ack(before.tag)
                consumer.ack(before.tag)
                consumer.reject(before.tag, requeue: false)
                consumer.ack(after.tag)
                try await eventually("it is settled") { try await host.queueDepth("q") == 0 }
                #expect(consumer.isConsuming)
            }
        }
    }

    @Test("settling twice is harmless")
    func twice() async throws {
        try await withMessages(2) { host in
            try await withConsumer(host.url, queue: "q") { consumer in
                let first = try #require(try await consumer.nextBatch(upTo: 1).first)
                consumer.ack([first.tag, first.tag])
                consumer.reject(first.tag, requeue: true)
                #expect(try await consumer.take(1).map(\.text) == ["1"])
                try await eventually("both are settled") { try await host.queueDepth("q") == 0 }
                #expect(consumer.isConsuming)
            }
        }
    }

    @Test("cancelling a waiting task ends its wait and nobody else's")
    func cancelledWait() async throws {
        try await withMessages(0) { host in
            try await withConsumer(host.url, queue: "q") { consumer in
                let cancelled = Task { try await consumer.nextBatch(upTo: 1) }
                let patient = Task { try await consumer.nextBatch(upTo: 1) }
                cancelled.cancel()
                await #expect(throws: CancellationError.self) { try await cancelled.value }
                try await host.publish("late", routingKey: "q")
                let batch = try await patient.value
                #expect(batch.map(\.text) == ["late"])
                consumer.ack(batch[0].tag)
            }
        }
    }

    @Test("a drain hands out nothing more, waits for what is out, and gives the rest back")
    func drain() async throws {
        try await withMessages(10) { host in
            let consumer = Consumer(
                try testConfiguration(host.url, name: "drained"), queue: "q", logger: silentLogger)
            let running = Task { try await consumer.run() }
            let out = try await consumer.nextBatch(upTo: 4, within: .seconds(100))
            #expect(out.count == 4)
            let waiting = Task { try await consumer.nextBatch(upTo: 100, within: .seconds(100)) }
            async let drained: Void = consumer.drain(within: .seconds(20))
            #expect(try await waiting.value.isEmpty)
            consumer.ack(out.map(\.tag))
            await drained
            try await running.value
            #expect(try await consumer.nextBatch(upTo: 1).isEmpty)
            try await eventually("the rest is back in the queue") { try await host.queueDepth("q") == 6 }
        }
    }

    @Test("a drain does not outlast its limit")
    func drainLimit() async throws {
        try await withMessages(1) { host in
            let consumer = Consumer(
                try testConfiguration(host.url, name: "slow"), queue: "q", logger: silentLogger)
            let running = Task { try await consumer.run() }
            _ = try await consumer.nextBatch(upTo: 1)
            await consumer.drain(within: .milliseconds(100))
            try await running.value
            try await eventually("1 messages are in the queue") { try await host.queueDepth("q") == 1 }
        }
    }

    @Test("a consumer whose queue is deleted declares it again and goes on")
    func cancelledByBroker() async throws {
        try await TestBroker.withVirtualHost { host in
            let topology = Topology(
                exchanges: [Exchange("events", .topic)], queues: [.quorum("q")],
                bindings: [Binding(queue: "q", exchange: "events", routingKey: "a.#")])
            try await withConsumer(host.url, queue: "q", topology: topology) { consumer in
                try await eventually("it consumes") { consumer.isConsuming }
                try await host.deleteQueue("q")
                try await eventually("a message is routed again") {
                    try await host.publish("after", exchange: "events", routingKey: "a.b")
                }
                #expect(try await consumer.take(1).map(\.text) == ["after"])
            }
        }
    }

    @Test("a wrong password fails at once")
    func fatal() async throws {
        try await TestBroker.withVirtualHost { host in
            var configuration = try testConfiguration(host.url, name: "intruder")
            configuration.url.password = "wrong"
            let consumer = Consumer(configuration, queue: "q", logger: silentLogger)
            let error = await #expect(throws: AMQPError.self) { try await consumer.run() }
            #expect(error?.code == .authenticationFailed)
            #expect(try await consumer.nextBatch(upTo: 1).isEmpty)
        }
    }
}
