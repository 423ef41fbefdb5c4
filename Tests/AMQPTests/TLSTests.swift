import AMQP
import Foundation
import TestKit
import Testing

@Suite("TLS", .timeLimit(.minutes(15)))
struct TLSTests {
    @Test("a verified broker is served in both directions; a stranger's authority, or another host name, is refused")
    func tls() async throws {
        try await PrivateBroker.withPrivateBroker(tls: true) { broker in
            let host = try await broker.virtualHost()
            let authority = try #require(broker.authorityPath)
            let url = host.url(at: try #require(broker.tlsURL))
            let verified = "\(url)?verify=peer&cacertfile=\(authority)"

            try await withPublisher(verified, topology: quorum("q"), heartbeatSeconds: 1) { publisher in
                try await withConsumer(verified, queue: "q", topology: quorum("q")) { consumer in
                    try await eventually("the queue has started") { publisher.isConnected && consumer.isConsuming }
                    try await publisher.publishAll((0..<300).map { message("\($0)", to: "q") })
                    #expect(try await consumer.take(300).map(\.text) == (0..<300).map(String.init))
                    let large = OutboundMessage(
                        exchange: "", routingKey: "q", body: [UInt8](repeating: 7, count: 9 << 20))
                    try await publisher.publish(large, deadline: soon)
                    #expect(try await consumer.take(1).first?.body == large.body)
                    await #expect(throws: PublishError.unroutable(code: 312, text: "NO_ROUTE")) {
                        try await publisher.publish(message("lost", to: "nowhere"), deadline: soon)
                    }
                }
            }

            try await refuses(url)  // Debian's authorities do not know this one.
            try await refuses(verified.replacingOccurrences(of: "@localhost:", with: "@127.1:"))
            try await withPublisher("\(url)?verify=none") { publisher in
                try await eventually("a stranger is served if asked for") { publisher.isConnected }
            }
        }
    }

    func refuses(_ url: String) async throws {
        let publisher = Publisher(try testConfiguration(url, name: "careful"), logger: silentLogger)
        let error = await #expect(throws: AMQPError.self) { try await publisher.run() }
        #expect(error?.code == .tlsFailed)
    }

    @Test("an authority file that is not there is told at the start")
    func noAuthority() async throws {
        let publisher = Publisher(
            try testConfiguration("amqps://127.0.0.1:1/?cacertfile=/nowhere/ca.pem", name: "careless"),
            logger: silentLogger)
        let error = await #expect(throws: AMQPError.self) { try await publisher.run() }
        #expect(error?.code == .misconfigured)
    }

    @Test("Q6: a broker that speaks TLS 1.2 only is refused, whoever has signed its certificate")
    func version() async throws {
        try await OpenSSLServer.withServer(.tls12) { server in
            let url = "amqps://u:p@localhost:\(server.port)/?cacertfile=\(server.authorityPath)"
            try await withPublisher(url) { publisher in
                // A handshake that fails may be a broker that just ends, so it is tried again, and never goes through.
                try await eventually("the server finds no version in common") {
                    try server.log().contains("unsupported protocol")
                }
                #expect(!publisher.isConnected)
            }
        }
    }

    @Test("a large body into a stalled TLS connection keeps its deadline")
    func stalled() async throws {
        try await PrivateBroker.withPrivateBroker(tls: true) { broker in
            let host = try await broker.virtualHost()
            let direct = host.url(at: try #require(broker.tlsURL))
            try await FaultProxy.withFaultProxy(to: direct) { proxy in
                let url = "\(proxy.url(rewriting: direct))?cacertfile=\(try #require(broker.authorityPath))"
                try await withPublisher(url, topology: quorum("q"), heartbeatSeconds: 2) { publisher in
                    try await publisher.publish(message("before", to: "q"), deadline: soon)
                    await proxy.stall()
                    let large = OutboundMessage(
                        exchange: "", routingKey: "q", body: [UInt8](repeating: 7, count: 12 << 20))
                    let start = ContinuousClock.now
                    await #expect(throws: PublishError.outcomeUnknown(.deadlineExceeded)) {
                        try await publisher.publish(large, deadline: .now + .milliseconds(500))
                    }
                    // Generous: a busy machine copies and encrypts it first.
                    #expect(start.duration(to: .now) < .seconds(20))
                    await proxy.resume()
                    try await publisher.publish(message("after", to: "q"), deadline: soon)
                }
            }
        }
    }
}
