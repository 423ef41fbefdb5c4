import AMQP
@testable import TestKit
import Testing

@Suite("Topology", .timeLimit(.minutes(15)))
struct TopologyTests {
    struct QueuePage: Decodable {
        struct Arguments: Decodable {
            var type: String?
            var deliveryLimit: Int?
            var deadLetterExchange: String?
            var strategy: String?
            var overflow: String?

            private enum CodingKeys: String, CodingKey {
                case type = "x-queue-type"
                case deliveryLimit = "x-delivery-limit"
                case deadLetterExchange = "x-dead-letter-exchange"
                case strategy = "x-dead-letter-strategy"
                case overflow = "x-overflow"
            }
        }

        let arguments: Arguments
        let durable: Bool
        let exclusive: Bool
        let auto_delete: Bool
    }

    func page(_ queue: String, _ host: VirtualHost) async throws -> QueuePage? {
        try await ManagementAPI(url: TestServers.shared().rabbitMQManagement).get(
            QueuePage.self, ["queues", host.name, queue])
    }

    @Test("what is rejected too often becomes a dead letter, and the queue goes on")
    func deliveryLimit() async throws {
        try await TestBroker.withVirtualHost { host in
            let topology = Topology(
                exchanges: [Exchange("dead letters", .direct)],
                queues: [
                    .quorum("q", deliveryLimit: 2, deadLetter: DeadLetter(exchange: "dead letters", routingKey: "q")),
                    .quorum("dead"),
                ],
                bindings: [Binding(queue: "dead", exchange: "dead letters", routingKey: "q")])
            try await withPublisher(host.url, topology: topology) { publisher in
                try await publisher.publishAll([message("poison", to: "q"), message("good", to: "q")])
            }
            try await withConsumer(host.url, queue: "q", prefetch: 1) { consumer in
                var seen: [String] = []
                while seen.count < 4 {
                    let delivery = try #require(try await consumer.nextBatch(upTo: 1).first)
                    seen.append("\(delivery.text) \(delivery.deliveryCount)")
                    if delivery.text == "poison" {
                        consumer.reject(delivery.tag, requeue: true)
                    } else {
                        consumer.ack(delivery.tag)
                    }
                }
                #expect(seen.filter { $0.hasPrefix("poison") } == ["poison 0", "poison 1", "poison 2"])
                #expect(seen.contains("good 0"))
            }
            try await eventually("the poison is a dead letter") { try await host.queueDepth("dead") == 1 }
            try await eventually("0 messages are in the queue") { try await host.queueDepth("q") == 0 }
        }
    }

    @Test("dead lettering at least once is declared, and declaring again is no error")
    func atLeastOnce() async throws {
        try await TestBroker.withVirtualHost { host in
            let topology = Topology(queues: [
                .quorum("q", deliveryLimit: 5, deadLetter: DeadLetter(exchange: "", routingKey: "dead"))
            ])
            for _ in 0..<2 {
                try await withPublisher(host.url, topology: topology) { publisher in
                    try await publisher.publish(message("a", to: "q"), deadline: soon)
                }
            }
            let page = try #require(try await self.page("q", host))
            #expect(page.arguments.type == "quorum" && page.arguments.deliveryLimit == 5 && page.durable)
            #expect(page.arguments.deadLetterExchange == "")
            #expect(page.arguments.strategy == "at-least-once" && page.arguments.overflow == "reject-publish")
        }
    }

    @Test("a queue that exists with other arguments is an error at the start")
    func otherArguments() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q")) { publisher in
                try await publisher.publish(message("a", to: "q"), deadline: soon)
            }
            let other = Publisher(
                try testConfiguration(host.url, name: "other"), topology: Topology(queues: [.classic("q")]),
                logger: silentLogger)
            let error = await #expect(throws: AMQPError.self) { try await other.run() }
            #expect(error?.code == .preconditionFailed)
        }
    }

    @Test("a retry queue gives back what has waited long enough")
    func retryQueue() async throws {
        try await TestBroker.withVirtualHost { host in
            let topology = Topology(queues: [
                .quorum("work"),
                .quorum(
                    "retry", deadLetter: DeadLetter(exchange: "", routingKey: "work"), messageTTL: .milliseconds(300)),
            ])
            try await withPublisher(host.url, topology: topology) { publisher in
                try await withConsumer(host.url, queue: "work", topology: topology) { consumer in
                    try await eventually("the queues have started") { publisher.isConnected && consumer.isConsuming }
                    try await publisher.publish(message("again", to: "retry"), deadline: soon)
                    #expect(try await consumer.take(1).map(\.text) == ["again"])
                }
            }
        }
    }

    @Test("a transient fanout reaches every consumer's own queue, which goes with it")
    func transientFanout() async throws {
        try await TestBroker.withVirtualHost { host in
            func own(_ queue: String) -> Topology {
                Topology(
                    exchanges: [Exchange("positions", .fanout, isDurable: false)],
                    queues: [.transient(queue, maxLength: 100)],
                    bindings: [Binding(queue: queue, exchange: "positions")])
            }
            try await withConsumer(host.url, queue: "one", topology: own("one")) { one in
                try await withConsumer(host.url, queue: "two", topology: own("two")) { two in
                    try await eventually("both consume") { one.isConsuming && two.isConsuming }
                    let page = try #require(try await self.page("one", host))
                    #expect(page.exclusive && page.auto_delete && !page.durable)
                    try await withPublisher(host.url, topology: Topology(exchanges: own("x").exchanges)) { publisher in
                        var position = message("here", to: "", exchange: "positions")
                        position.isPersistent = false
                        try await publisher.publish(position, deadline: soon)
                    }
                    #expect(try await one.take(1).map(\.text) == ["here"])
                    #expect(try await two.take(1).map(\.text) == ["here"])
                }
            }
            try await eventually("the queues are gone") { try await self.page("one", host) == nil }
        }
    }

    @Test("merging keeps each thing once")
    func merging() {
        let one = Topology(exchanges: [Exchange("e", .topic)], queues: [.quorum("q")])
        let two = Topology(
            exchanges: [Exchange("e", .topic), Exchange("f", .direct)], queues: [.quorum("q")],
            bindings: [Binding(queue: "q", exchange: "e", routingKey: "#")])
        let merged = one.merging(two).merging(two)
        #expect(merged.exchanges.map(\.name) == ["e", "f"])
        #expect(merged.queues.map(\.name) == ["q"] && merged.bindings.count == 1)
    }
}
