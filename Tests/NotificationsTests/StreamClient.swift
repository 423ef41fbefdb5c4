import AsyncHTTPClient
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import Synchronization

/// A reader of a stream, as a browser's EventSource reads it.
final class StreamClient: Sendable {
    struct Event: Sendable {
        var id: Int?
        var name = ""
        var data = ""
        let receivedAt: ContinuousClock.Instant

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]) ?? [:]
        }
        func text(_ key: String) -> String? { json[key] as? String }
        func number(_ key: String) -> Int? { json[key] as? Int }
    }

    private struct State {
        var status: Int?
        var events: [Event] = []
        var comments = 0
        var hasEnded = false
    }

    private final class Seen: Sendable {
        let state = Mutex(State())
    }

    /// Streams hold their connections; the shared client has eight for a host.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_000
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let seen = Seen()
    private let reading: Task<Void, Never>

    init(port: Int, token: String?, after: Int?) {
        reading = Task { [seen, client = Self.client] in
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/notifications/v1/stream")
            if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
            if let after { request.headers.add(name: "Last-Event-ID", value: String(after)) }
            do {
                let response = try await client.execute(request, timeout: .hours(1))
                seen.state.withLock { $0.status = Int(response.status.code) }
                var rest: [UInt8] = []
                for try await buffer in response.body {
                    rest += buffer.readableBytesView
                    Self.parse(&rest, into: seen)
                }
            } catch {
                // However it ended, it has.
            }
            seen.state.withLock { $0.hasEnded = true }
        }
    }

    deinit { reading.cancel() }

    /// Cuts the connection.
    func cut() async {
        reading.cancel()
        await reading.value
    }

    var status: Int? { seen.state.withLock { $0.status } }
    var hasEnded: Bool { seen.state.withLock { $0.hasEnded } }
    var comments: Int { seen.state.withLock { $0.comments } }
    var events: [Event] { seen.state.withLock { $0.events } }
    /// The last number seen, which a client resumes after.
    var lastID: Int? { events.last { $0.id != nil }?.id }
    /// Numbers of the events proper.
    var numbers: [Int] { events.filter { $0.name != "ready" }.compactMap(\.id) }

    func events(_ name: String) -> [Event] { events.filter { $0.name == name } }

    /// Takes whole events off the front.
    private static func parse(_ rest: inout [UInt8], into seen: Seen) {
        var start = 0
        while let end = blockEnd(in: rest, from: start) {
            note(String(decoding: rest[start..<end], as: UTF8.self), into: seen)
            start = end + 2
        }
        rest.removeFirst(start)
    }

    /// The place of the next empty line.
    private static func blockEnd(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var place = start
            while place + 1 < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + place, 10, bytes.count - 1 - place)
            {
                place = UnsafeRawPointer(found) - base
                if bytes[place + 1] == 10 { return place }
                place += 1
            }
            return nil
        }
    }

    private static func note(_ block: String, into seen: Seen) {
        var event = Event(receivedAt: .now)
        var isComment = true
        for line in block.split(separator: "\n", omittingEmptySubsequences: false) where !line.hasPrefix(":") {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            isComment = false
            switch parts[0] {
            case "id": event.id = Int(parts[1])
            case "event": event.name = parts[1]
            case "data": event.data = parts[1]
            default: break
            }
        }
        seen.state.withLock { state in
            if isComment { state.comments += 1 } else { state.events.append(event) }
        }
    }
}
