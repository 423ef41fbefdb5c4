import AMQP
import TestKit
import Testing

@Suite("Faults", .timeLimit(.minutes(15)))
struct FaultTests {
    /// Publishes, each message until it is confirmed, and consumes, while `fault` runs; then all that was confirmed must
    /// arrive.
    func underLoad(_ url: String, _ fault: (Tally) async throws -> Void) async throws {
        let tally = Tally()
        try await withPublisher(url, topology: quorum("q")) { publisher in
            try await withConsumer(url, queue: "q", topology: quorum("q")) { consumer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<4 {
                        group.addTask {
                            for number in 0... {
                                guard !Task.isCancelled else { return }
                                let text = "\(worker)-\(number)"
                                do {
                                    try await publisher.publish(message(text, to: "q"), deadline: .now + .seconds(5))
                                    tally.confirmed(text)
                                } catch {
                                    // Lost with the connection, or too late: the next one may do better.
                                }
                            }
                        }
                    }
                    group.addTask {
                        while true {
                            let batch = try await consumer.nextBatch(upTo: 50)
                            guard !batch.isEmpty else { return }
                            for delivery in batch { tally.delivered(delivery.text) }
                            consumer.ack(batch.map(\.tag))
                        }
                    }
                    try await eventually("the load runs") { tally.confirmedCount > 200 }
                    try await fault(tally)
                    let before = tally.confirmedCount
                    try await eventually(within: .seconds(60), "the load goes on") {
                        tally.confirmedCount > before + 200
                    }
                    try await eventually(within: .seconds(30), "what was confirmed has arrived") {
                        // Publishers go on meanwhile: some are always on their way.
                        tally.missing.count < 200
                    }
                    group.cancelAll()
                    // The consuming worker was cancelled too.
                    while let result = await group.nextResult() {
                        if case .failure(let error) = result, !(error is CancellationError) { throw error }
                    }
                }
                try await eventually(within: .seconds(30), "everything confirmed has arrived") {
                    while !tally.missing.isEmpty {
                        let batch = try await consumer.nextBatch(upTo: 50)
                        for delivery in batch { tally.delivered(delivery.text) }
                        consumer.ack(batch.map(\.tag))
                    }
                    return true
                }
            }
        }
        #expect(tally.missing.isEmpty)
    }

    @Test("the broker closes all connections under load: nothing confirmed is lost")
    func closedConnections() async throws {
        try await TestBroker.withVirtualHost { host in
            try await underLoad(host.url) { tally in
                for _ in 0..<3 {
                    try await host.closeAllConnections(atLeast: 2)
                    let before = tally.confirmedCount
                    try await eventually(within: .seconds(30), "it goes on") { tally.confirmedCount > before + 50 }
                }
            }
        }
    }

    @Test("connections that are cut under load are opened again")
    func cutConnections() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                try await underLoad(proxy.url(rewriting: host.url)) { tally in
                    for _ in 0..<5 {
                        let before = tally.confirmedCount
                        await proxy.cutAll()
                        try await eventually(within: .seconds(30), "it goes on") { tally.confirmedCount > before + 50 }
                    }
                }
            }
        }
    }

    @Test("a connection that dies without a word is ended by the missing heartbeats, and opened again")
    func stalledConnection() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                let url = proxy.url(rewriting: host.url)
                try await withPublisher(url, topology: quorum("q"), heartbeatSeconds: 1) { publisher in
                    try await withConsumer(url, queue: "q", topology: quorum("q"), heartbeatSeconds: 1) { consumer in
                        try await eventually("the queue has started") { publisher.isConnected && consumer.isConsuming }
                        try await publisher.publish(message("before", to: "q"), deadline: soon)
                        #expect(try await consumer.take(1).map(\.text) == ["before"])
                        await proxy.stall()
                        let start = ContinuousClock.now
                        await #expect(throws: PublishError.outcomeUnknown(.deadlineExceeded)) {
                            try await publisher.publish(
                                message("stalled", to: "q"), deadline: .now + .milliseconds(300))
                        }
                        #expect(start.duration(to: .now) < .seconds(20))
                        try await eventually("both are given up") { !publisher.isConnected && !consumer.isConsuming }
                        // Still stalled, now while connecting.
                        await #expect(throws: PublishError.notSent(.deadlineExceeded)) {
                            try await publisher.publish(
                                message("waiting", to: "q"), deadline: .now + .milliseconds(300))
                        }
                        await proxy.resume()
                        try await publisher.publish(message("after", to: "q"), deadline: soon)
                        var texts: Set<String> = []
                        while !texts.contains("after") { texts.formUnion(try await consumer.take(1).map(\.text)) }
                    }
                }
            }
        }
    }

    @Test("a large body into a stalled connection keeps its deadline")
    func stalledLargeBody() async throws {
        try await TestBroker.withVirtualHost { host in
            try await FaultProxy.withFaultProxy(to: host.url) { proxy in
                let url = proxy.url(rewriting: host.url)
                // Missing heartbeats would end it later than the deadline does.
                try await withPublisher(url, topology: quorum("q"), heartbeatSeconds: 60) { publisher in
                    try await publisher.publish(message("before", to: "q"), deadline: soon)
                    await proxy.stall()
                    let large = OutboundMessage(
                        exchange: "", routingKey: "q", body: [UInt8](repeating: 7, count: 12 << 20))
                    let start = ContinuousClock.now
                    let outcomes = await publisher.publish(
                        batch: [large, large, message("small", to: "q")], deadline: .now + .milliseconds(500))
                    #expect(start.duration(to: .now) < .seconds(20))
                    #expect(outcomes.allSatisfy { if case .failure = $0 { true } else { false } })
                    await proxy.resume()
                    try await publisher.publish(message("after", to: "q"), deadline: soon)
                }
            }
        }
    }

    @Test("an idle connection stays open over many heartbeats")
    func idle() async throws {
        try await TestBroker.withVirtualHost { host in
            try await withPublisher(host.url, topology: quorum("q"), heartbeatSeconds: 1) { publisher in
                try await withConsumer(host.url, queue: "q", topology: quorum("q"), heartbeatSeconds: 1) { consumer in
                    try await eventually("both are connected") { publisher.isConnected && consumer.isConsuming }
                    // The broker ends a connection after two silent seconds; so would we.
                    let end = ContinuousClock.now + .seconds(7)
                    try await eventually(within: .seconds(20), "seven seconds pass") {
                        #expect(publisher.isConnected && consumer.isConsuming)
                        return ContinuousClock.now > end
                    }
                    try await publisher.publish(message("awake", to: "q"), deadline: soon)
                    let delivery = try #require(try await consumer.take(1).first)
                    #expect(delivery.text == "awake" && delivery.tag.epoch == 1)
                }
            }
        }
    }

    @Test("a broker that restarts is found again, and nothing confirmed is lost")
    func brokerRestart() async throws {
        try await PrivateBroker.withPrivateBroker { broker in
            let host = try await broker.virtualHost()
            try await underLoad(host.url) { _ in try await broker.restart() }
            try await underLoad(host.url) { _ in
                try await broker.kill()
                try await broker.start()
            }
        }
    }

    @Test("in a memory alarm publishes wait, keep their deadline, and go on after it; consuming goes on")
    func memoryAlarm() async throws {
        try await PrivateBroker.withPrivateBroker { broker in
            let host = try await broker.virtualHost()
            try await withPublisher(host.url, topology: quorum("q"), heartbeatSeconds: 2) { publisher in
                try await publisher.publish(message("before", to: "q"), deadline: soon)
                try await broker.setMemoryAlarm(true)
                // The broker blocks a connection when it publishes the next time.
                let first = Task {
                    try await publisher.publish(message("first", to: "q"), deadline: .now + .seconds(60))
                }
                try await eventually("the broker says so") { publisher.isBlocked }
                let start = ContinuousClock.now
                await #expect(throws: PublishError.notSent(.blocked)) {
                    try await publisher.publish(message("hurried", to: "q"), deadline: .now + .milliseconds(300))
                }
                #expect(start.duration(to: .now) < .seconds(20))
                let patient = Task {
                    try await publisher.publish(message("patient", to: "q"), deadline: .now + .seconds(60))
                }
                try await withConsumer(host.url, queue: "q") { consumer in
                    #expect(try await consumer.take(1).map(\.text) == ["before"])
                    // Longer than two heartbeats: the broker is silent to publishers, but not dead.
                    let end = ContinuousClock.now + .seconds(5)
                    try await eventually(within: .seconds(20), "five seconds pass") {
                        #expect(publisher.isConnected && publisher.isBlocked)
                        return ContinuousClock.now > end
                    }
                    try await broker.setMemoryAlarm(false)
                    try await first.value
                    try await patient.value
                    #expect(!publisher.isBlocked)
                    #expect(try await consumer.take(2).map(\.text) == ["first", "patient"])
                }
            }
        }
    }
}
