import AMQP
import TestKit
import Testing

@Suite("Several hosts in an address", .timeLimit(.minutes(15)))
struct SeveralHostsTests {
    /// The address with these hosts in the place of its own.
    private func address(_ url: String, _ ports: [Int]) throws -> String {
        let own = try #require(try AMQPURL(url).hosts.first)
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let changed = url.replacing("@\(own)", with: "@\(hosts)")
        try #require(changed != url)
        return changed
    }

    @Test("Q2: a host that is not there and one that is silent are passed over")
    func passedOver() async throws {
        try await TestBroker.withVirtualHost { host in
            let port = try #require(try AMQPURL(host.url).hosts.first).port
            try await FaultProxy.withFaultProxy(to: host.url) { silent in
                await silent.stall()
                // Nobody listens on port 1.
                let url = try address(host.url, [1, silent.port, port])
                try await withPublisher(url, topology: quorum("q")) { publisher in
                    try await publisher.publish(message("one", to: "q"), deadline: soon)
                }
            }
        }
    }

    @Test("Q2: whichever node ends, the other one of the address is taken, and nothing confirmed is lost")
    func nodesEnd() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { one in
                try await FaultProxy.withFaultProxy(to: host.url) { two in
                    let url = try address(host.url, [one.port, two.port])
                    try await withPublisher(url, topology: quorum("q")) { publisher in
                        try await withConsumer(url, queue: "q", topology: quorum("q")) { consumer in
                            for (number, (ended, other)) in [(one, two), (two, one)].enumerated() {
                                await other.dropNewConnections(false)
                                await ended.dropNewConnections()
                                await ended.cutAll()
                                try await eventually("a publish is confirmed") {
                                    let text = message("\(number)", to: "q")
                                    do { try await publisher.publish(text, deadline: soon) } catch { return false }
                                    return true
                                }
                                // Before it comes again what was not acknowledged when the node ended.
                                try await eventually("it is heard") {
                                    try await consumer.take(1).map(\.text) == ["\(number)"]
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("a wrong password is told at once, and no other host is asked")
    func refused() async throws {
        try await TestBroker.withVirtualHost { host in
            let port = try #require(try AMQPURL(host.url).hosts.first).port
            var configuration = try testConfiguration(try address(host.url, [port, port]), name: "refused")
            configuration.url.password = "wrong"
            let publisher = Publisher(configuration, logger: silentLogger)
            let refusal = await #expect(throws: AMQPError.self) { try await publisher.run() }
            #expect(refusal?.code == .authenticationFailed)
        }
    }
}
