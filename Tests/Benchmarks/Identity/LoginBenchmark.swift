import AsyncHTTPClient
import BenchResults
import Contracts
import Foundation
import NIOCore
import NIOHTTP1

/// Logins through HTTP, against the hashes alone; and what a crowd of them at once costs everybody else.
struct LoginBenchmark: Sendable {
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private static let password = "Serai-2026-secret"
    /// Enough to keep all cores busy.
    private static let clients = 8

    let service: IdentityProcess
    let crowd: Int
    /// One for each of the crowd.
    let logins: [String]
    private let token: String

    /// Waits for the service, and registers the crowd.
    init(service: IdentityProcess, crowd: Int) async throws {
        self.service = service
        self.crowd = crowd
        try await Self.wait(for: service)
        Progress.tell("registering \(crowd) accounts")
        let logins = (0..<crowd).map { "bench.\($0)@example.com" }
        self.logins = logins
        let terms = Market.named("assef")?.onboarding.terms?.version ?? ""
        try await Self.atMost(Self.clients, of: crowd) { index in
            let body = """
                {"market": "assef", "role": "customer", "name": "Bench \(index)", "email": "\(logins[index])",
                "mobile": "+96650\(1_000_000 + index)", "password": "\(Self.password)",
                "terms": "\(terms)"}
                """
            let (status, answer) = try await Self.request(.POST, "\(service.url)/identity/v1/accounts", body)
            guard status == 201 else {
                throw Unexpected(description: "registering: \(status) \(String(decoding: answer, as: UTF8.self))")
            }
        }
        try await service.confirmEverybody()
        token = try await Self.logIn(logins[0], at: service)
    }

    func measure(rounds: Int, for limit: Duration, into results: inout Results) async throws {
        let atRest = try await memoryAtRest()
        var (rates, bare, peaks, quiet, loud, seconds): ([Double], [Double], [Double], [Double], [Double], [Double]) =
            ([], [], [], [], [], [])
        for round in 1...rounds {
            rates.append(try await loginsPerSecond(for: limit))
            bare.append(await BareArgon2.perSecond(for: limit))
            quiet.append(try await others(while: { try await Task.sleep(for: limit) }).percentile(99))
            let watch = Watch(service)
            let start = ContinuousClock.now
            loud.append(try await others(while: { try await all() }).percentile(99))
            seconds.append((ContinuousClock.now - start) / .seconds(1))
            peaks.append(try await watch.end())
            Progress.tell("round \(round) of \(rounds): \(Int(rates.last ?? 0)) logins a second")
        }
        results.add("logins_per_s", rates, "\(Self.clients) clients, each with accounts of its own, through HTTP")
        results.add("bare_argon2id_per_s", bare, "19 MiB, 2 passes, 1 lane, a thread for each core")
        results.add("logins_ratio", zip(rates, bare).map { $0 / $1 }, "to bare argon2id")
        results.add("rss_at_rest_mib", [atRest], "after \(crowd) registrations")
        results.add("rss_at_crowd_mib", peaks, "the most while \(crowd) log in at once")
        results.add("crowd_s", seconds, "until all of \(crowd) logins at once are answered")
        results.add("others_p99_ms_at_rest", quiet, "GET /identity/v1/accounts/me, one after the other")
        results.add("others_p99_ms_at_crowd", loud, "the same while \(crowd) log in at once")
    }

    // MARK: Measurements

    /// The service's memory, in MiB, once it has stood still for a second; what the first logins have left behind is part of
    /// it. After half a minute as it is then.
    private func memoryAtRest() async throws -> Double {
        let end = ContinuousClock.now + .seconds(30)
        var last = try service.residentMiB
        var stillCount = 0
        while stillCount < 10, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(100))
            let now = try service.residentMiB
            stillCount = abs(now - last) < 0.25 ? stillCount + 1 : 0
            last = now
        }
        return last
    }

    private func loginsPerSecond(for limit: Duration) async throws -> Double {
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now - start < limit {
                        let index = (client + count * Self.clients) % logins.count
                        _ = try await Self.logIn(logins[index], at: service)
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// Everybody at the same moment.
    private func all() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for login in logins { group.addTask { _ = try await Self.logIn(login, at: service) } }
            try await group.waitForAll()
        }
    }

    /// How long the requests of somebody else take meanwhile, in milliseconds.
    private func others(while body: @escaping @Sendable () async throws -> Void) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            group.addTask {
                try await body()
                return []
            }
            group.addTask {
                var times: [Double] = []
                while !Task.isCancelled {
                    let start = ContinuousClock.now
                    let url = "\(service.url)/identity/v1/accounts/me"
                    do {
                        let (status, _) = try await Self.request(.GET, url, nil, token: token)
                        guard status == 200 else { throw Unexpected(description: "others: \(status)") }
                    } catch is CancellationError {
                        break
                    }
                    times.append((ContinuousClock.now - start) / .milliseconds(1))
                    // Cancelled means that the measurement has ended.
                    try? await Task.sleep(for: .milliseconds(2))
                }
                return times
            }
            let first = try await group.next() ?? []
            group.cancelAll()
            return try await group.reduce(into: first) { $0 += $1 }
        }
    }

    // MARK: Requests

    private static func logIn(_ login: String, at service: IdentityProcess) async throws -> String {
        let body = #"{"login": "\#(login)", "password": "\#(password)"}"#
        let (status, answer) = try await request(.POST, "\(service.url)/identity/v1/sessions", body)
        guard status == 201, let json = try JSONSerialization.jsonObject(with: answer) as? [String: Any],
            let token = json["accessToken"] as? String
        else { throw Unexpected(description: "login: \(status)") }
        return token
    }

    /// - Parameter address: whom a proxy says that it asks for; its own without one.
    static func request(
        _ method: HTTPMethod, _ url: String, _ body: String?, token: String? = nil, from address: String? = nil
    ) async throws -> (status: UInt, body: Data) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let address { request.headers.add(name: "x-forwarded-for", value: address) }
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.headers.add(name: "idempotency-key", value: UUID().uuidString)
            request.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await client.execute(request, timeout: .seconds(120))
        return (response.status.code, Data((try await response.body.collect(upTo: 1_048_576)).readableBytesView))
    }

    /// With a connection for each of the crowd.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_100
        configuration.timeout = .init(connect: .seconds(30))
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private static func wait(for service: IdentityProcess) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            // Nothing listens yet.
            let answer = try? await request(.GET, "\(service.url)/health/ready", nil)
            if answer?.status == 200 { return }
            guard ContinuousClock.now < end else { throw Unexpected(description: "identity does not get ready") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func atMost(
        _ width: Int, of count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= width { try await group.next() }
                group.addTask { try await body(index) }
            }
            try await group.waitForAll()
        }
    }
}

/// The most memory that the service has while this watches.
private struct Watch {
    private let task: Task<Double, any Error>

    init(_ service: IdentityProcess) {
        task = Task {
            var most = 0.0
            while !Task.isCancelled {
                most = max(most, try service.residentMiB)
                // Cancelled means the end.
                try? await Task.sleep(for: .milliseconds(5))
            }
            return most
        }
    }

    func end() async throws -> Double {
        task.cancel()
        return try await task.value
    }
}
