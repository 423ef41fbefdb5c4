import Contracts
import Foundation
import Messaging
import Glibc
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Readers that do not read", .timeLimit(.minutes(15)))
struct SlowReaderTests {
    @Test("N3: a reader that does not read is cut off and resumes where it was; others do not notice")
    func cutOff() async throws {
        try await World.run { world in
            try await world.withProcess(["SERAI_STREAMS_WRITE_SECONDS": "1"]) { process in
                let sample = Sample()
                let good = try await process.stream(sample.provider)
                let slow = try SleepingReader(
                    port: process.port, path: "/notifications/v1/stream", token: try await world.token(sample.customer))
                // More than the sockets' buffers hold: 200 KB each.
                let note = String(repeating: "long ", count: 40_000)
                for version in 1...60 { try await world.publish(sample.changed(version: version, note: note)) }
                try await world.settle()
                try await eventually("the good reader has all") {
                    good.events("order").last?.number("version") == 60
                }
                try await eventually("the slow one is cut off") { process.hub.count == 1 }
                let received = try await slow.readToEnd()
                #expect(received < 60 * note.utf8.count)
                let resumed = try await process.stream(sample.customer, after: 0)
                try await eventually("it resumes") { resumed.events("order").last?.number("version") == 60 }
            }
        }
    }

    @Test("N3: a stream that is replaced while its reader does not read is cut off like any other")
    func replacedAndStuck() async throws {
        try await World.run { world in
            // Long enough for a busy machine to open the second stream meanwhile.
            let settings = ["SERAI_STREAMS_WRITE_SECONDS": "45", "SERAI_STREAMS_PER_ACCOUNT": "1"]
            try await world.withProcess(settings) { process in
                let sample = Sample()
                let slow = try SleepingReader(
                    port: process.port, path: "/notifications/v1/stream", token: try await world.token(sample.customer))
                let note = String(repeating: "long ", count: 40_000)
                for version in 1...60 { try await world.publish(sample.changed(version: version, note: note)) }
                let stuck = process.hub.limits.write - .milliseconds(500)
                try await eventually("the slow one is stuck in a write") {
                    process.hub.all.first?.look(now: .now + stuck, date: Date(), limits: process.hub.limits).isStuck
                        == true
                }
                let other = try await process.stream(sample.customer)
                #expect(process.hub.count == 2, "the first holds its connection until it is cut off")
                try await eventually("it is cut off") { process.hub.count == 1 }
                _ = try await slow.readToEnd()
                #expect(!other.hasEnded)
            }
        }
    }

    @Test("N3: a reader that leaves even the farewell is stuck as well")
    func farewell() async throws {
        let limits = StreamLimits()
        let stream = ConnectedStream(
            id: 1, account: .timeOrdered(), after: 0, language: .english, expires: .distantFuture
        ) {}
        let later = ContinuousClock.now + limits.write
        #expect(stream.look(now: later, date: Date(), limits: limits).isStuck, "it has not said that it is ready")
        stream.written()
        #expect(!stream.look(now: later, date: Date(), limits: limits).isStuck)
        stream.end(.replaced)
        guard case .end(.replaced) = await stream.next() else { return #expect(Bool(false), "it has not ended") }
        #expect(stream.look(now: later + .seconds(1), date: Date(), limits: limits).isStuck)
    }

    @Test("N3: what waits for a reader is bounded: the next page is read when the last was taken")
    func bounded() async throws {
        let limits = StreamLimits()
        let isCut = Mutex(false)
        let stream = ConnectedStream(
            id: 1, account: .timeOrdered(), after: 0, language: .english, expires: .distantFuture
        ) { isCut.withLock { $0 = true } }
        #expect(stream.shouldRead(hasNews: true))
        #expect(!stream.shouldRead(hasNews: true), "it is being read for")
        #expect(stream.beginReading()?.after == 0)
        stream.deliver("page", upTo: 64, hasMore: true)
        #expect(!stream.shouldRead(hasNews: true), "nobody has taken the page")
        guard case .text("page") = await stream.next() else { return #expect(Bool(false), "the page was not there") }
        #expect(stream.shouldRead(hasNews: false), "there is more")
        #expect(stream.beginReading()?.after == 64)
        stream.failed()
        #expect(stream.shouldRead(hasNews: false), "reading failed, so it is still behind")

        let later = ContinuousClock.now + limits.write
        #expect(stream.look(now: later, date: Date(), limits: limits).isStuck)
        stream.written()
        #expect(!stream.look(now: .now, date: Date(), limits: limits).isStuck)
        _ = stream.look(now: .now + limits.heartbeat, date: Date(), limits: limits)
        guard case .text(ServerSentEvent.heartbeat) = await stream.next() else {
            return #expect(Bool(false), "no heartbeat")
        }
        stream.cut()
        #expect(isCut.withLock { $0 })
        guard case .end(.gone) = await stream.next() else { return #expect(Bool(false), "it has not ended") }
    }

    @Test("N3: a session that waits ends when its task is cancelled")
    func cancelled() async throws {
        let stream = ConnectedStream(
            id: 1, account: .timeOrdered(), after: 0, language: .english, expires: .distantFuture
        ) {}
        let waiting = Task { await stream.next() }
        waiting.cancel()
        guard case .end(.gone) = await waiting.value else { return #expect(Bool(false), "it has not ended") }
    }
}

/// A client with a small window that asks and then does not read.
private final class SleepingReader: Sendable {
    struct Failed: Error {}
    private let socket: Int32

    init(port: Int, path: String, token: String) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size = Int32(4_096)
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = "GET \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token)\r\n\r\n"
        let sent = request.withCString { send(socket, $0, strlen($0), 0) }
        guard connected == 0, sent == request.utf8.count else { throw Failed() }
    }

    deinit { close(socket) }

    /// Reads what the other side had sent before it gave up.
    /// - Returns: how many bytes there were.
    func readToEnd() async throws -> Int {
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        try await eventually("the connection has ended") {
            while true {
                let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if count < 0, errno == EAGAIN { return false }
                guard count > 0 else { return true }
                received += count
            }
        }
        return received
    }
}
