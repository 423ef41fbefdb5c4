import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("Streams", .timeLimit(.minutes(15)))
struct StreamTests {
    @Test("P6, N3: both parties see each state live, each by its role and in its words")
    func states() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                try await world.publish(sample.registered(sample.customer, language: "en"))
                try await world.publish(sample.registered(sample.provider, language: "ar"))
                try await world.settle()
                let customer = try await process.stream(sample.customer)
                let provider = try await process.stream(sample.provider)
                try await world.publish(sample.requested())
                try await eventually("both have seen it") {
                    customer.events("order").count == 1 && provider.events("order").count == 1
                }
                try await world.publish(sample.accepted())
                try await world.publish(
                    OrderNearby(
                        order: sample.snapshot(.enRoute, version: 3, by: .system), metresLeft: 480, secondsLeft: 60))
                try await eventually("both have seen all") {
                    customer.events("order").count == 3 && provider.events("order").count == 3
                }
                let seen = customer.events("order")
                #expect(seen.map { $0.text("label") } == ["Waiting", "Accepted", "On the way"])
                #expect(provider.events("order").map { $0.text("label") } == ["بالانتظار", "بالانتظار", "في الطريق"])
                #expect(Set(seen.map { $0.text("role") }) == ["customer"])
                #expect(Set(provider.events("order").map { $0.text("role") }) == ["provider"])
                #expect(
                    seen.map { $0.text("event") } == [
                        "dispatch.order.requested.v1", "dispatch.order.accepted.v1", "dispatch.order.nearby.v1",
                    ])
                #expect(seen[2].number("metresLeft") == 480)
                #expect(seen[1].text("order") == sample.order.text)
                // The companion is for admins.
                #expect(!seen[1].data.contains("Huda"))
                let decoded = try JSON.wire.decode(OrderSnapshot.self, seen[1].data.utf8)
                #expect(decoded == sample.accepted().order)
            }
        }
    }

    @Test("N3: payments are told live, each party what is its own")
    func payments() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                let customer = try await process.stream(sample.customer)
                let provider = try await process.stream(sample.provider)
                for publish in [ItemTests.refusal("card-declined"), ItemTests.captured(.card)] {
                    try await publish(world, sample)
                    try await world.settle()
                }
                try await eventually("both are told") {
                    customer.events("payment").count == 2 && provider.events("payment").count == 1
                }
                let refused = customer.events("payment")[0]
                #expect(refused.text("reason") == "card-declined")
                #expect(refused.text("triedMethod") == "card")
                #expect(refused.text("event") == "wallet.payment.refused.v1")
                #expect(customer.events("payment")[1].json["providerShare"] == nil)
                let share = provider.events("payment")[0].json["providerShare"] as? [String: Any]
                #expect(share?["amount"] as? Int == 12_792)
            }
        }
    }

    @Test("N3: a stream begins now, and with Last-Event-ID after it; a number nobody gave begins now and says so")
    func beginnings() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for version in 1...4 {
                    try await world.publish(sample.changed(version: version))
                    try await world.settle()
                }
                let fresh = try await process.stream(sample.customer)
                #expect(fresh.events.map(\.id) == [4])
                #expect(fresh.events[0].json["missed"] as? Bool == false)
                let resumed = try await process.stream(sample.customer, after: 1)
                try await eventually("the rest has come") { resumed.numbers == [2, 3, 4] }
                #expect(resumed.events[0].id == 1)
                let all = try await process.stream(sample.customer, after: 0)
                try await eventually("all have come") { all.numbers == [1, 2, 3, 4] }
                let foreign = try await process.stream(sample.customer, after: 99)
                #expect(foreign.events[0].id == 4)
                #expect(foreign.events[0].json["missed"] as? Bool == true)
                try await world.publish(sample.changed(version: 5))
                for stream in [fresh, resumed, all, foreign] {
                    try await eventually("the new one has come") { stream.numbers.last == 5 }
                }
                #expect(fresh.numbers == [5] && foreign.numbers == [5])
            }
        }
    }

    @Test("N3: events that are no longer kept are told to be missed, and numbers go on")
    func retention() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for version in 1...3 {
                    try await world.publish(sample.changed(version: version))
                    try await world.settle()
                }
                try await world.purge(keepSeconds: 3_600)
                let complete = try await process.stream(sample.customer, after: 0)
                try await eventually("all are there") { complete.numbers == [1, 2, 3] }
                try await world.purge(keepSeconds: 0)
                // Of each party.
                let told = try await world.pool.execute(PurgeTold(keepSeconds: 0, limit: 10))
                #expect(told == 2)
                let late = try await process.stream(sample.customer, after: 1)
                #expect(late.events[0].json["missed"] as? Bool == true)
                // What is gone is not waited for.
                #expect(late.events[0].id == 3)
                let current = try await process.stream(sample.customer, after: 3)
                #expect(current.events[0].json["missed"] as? Bool == false)
                try await world.publish(sample.changed(version: 4))
                try await eventually("numbers go on") { late.numbers == [4] && current.numbers == [4] }
            }
        }
    }

    @Test("N3: only the parties of an order see it")
    func others() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (mine, theirs) = (Sample(), Sample())
                let stream = try await process.stream(mine.customer)
                try await world.publish(theirs.requested())
                try await world.publish(theirs.accepted())
                try await world.settle()
                try await world.publish(mine.changed(version: 1))
                try await eventually("my own has come") { !stream.events("order").isEmpty }
                #expect(stream.numbers == [1])
                #expect(try await process.inbox(mine.customer).isEmpty)
            }
        }
    }

    @Test("N3: who has no good token gets no stream, and a bad number is refused")
    func wrongCallers() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let path = "/notifications/v1/stream"
                let account = UUID.timeOrdered()
                let good = try await world.token(account)
                let cases: [(token: String?, slug: String)] = [
                    (nil, "unauthenticated"), ("nonsense", "unauthenticated"), (good + "x", "unauthenticated"),
                    (try await world.token(account, lifetime: -60), "token-expired"),
                    (try await world.token(account, issuer: "https://elsewhere.test"), "unauthenticated"),
                ]
                for (token, slug) in cases {
                    let answer = try await process.request("GET", path, token: token)
                    #expect(answer.status == 401)
                    #expect(try answer.slug == slug)
                }
                for number in ["-1", "1.5", "abc", "99999999999999999999", "0x10", "١"] {
                    let answer = try await process.request(
                        "GET", path, token: good, headers: [("Last-Event-ID", number)])
                    #expect(answer.status == 400, "\(number)")
                    #expect(try answer.slug == "invalid-last-event-id")
                }
                #expect(try await process.request("GET", path + "?after=x", token: good).status == 400)
                let chunked = try await process.request(
                    "GET", path, token: good, body: "hello", isChunked: true)
                #expect(chunked.status == 400)
                #expect(try await process.request("HEAD", path, token: good).status == 200)
            }
        }
    }

    @Test("N3: a stream ends when its token expires, and says so")
    func expiry() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let stream = try await process.stream(.timeOrdered(), lifetime: 2)
                try await eventually("it has ended") { stream.hasEnded }
                #expect(stream.events.last?.name == "expired")
            }
        }
    }

    @Test("I15: a stream ends soon after its session has, other sessions' streams do not")
    func endedSession() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (account, session) = (UUID.timeOrdered(), UUID.timeOrdered())
                let other = try await process.stream(account)
                let stream = try await process.stream(account, session: session)
                try await world.publish(
                    SessionsEnded(account: account, sessions: [session], until: Date() + 600, at: Date()))
                try await eventually("it has ended") { stream.hasEnded }
                #expect(stream.events.last?.name == "expired")
                #expect(!other.hasEnded)
                let token = try await world.token(account, session: session)
                let answer = try await process.request("GET", "/notifications/v1/inbox", token: token)
                #expect(try answer.slug == "token-expired")
            }
        }
    }

    @Test("N3: silence is broken by comments")
    func heartbeat() async throws {
        try await World.run { world in
            try await world.withProcess(["SERAI_STREAMS_HEARTBEAT_SECONDS": "1"]) { process in
                let stream = try await process.stream(.timeOrdered())
                try await eventually("two comments have come") { stream.comments >= 2 }
                #expect(!stream.hasEnded)
            }
        }
    }

    @Test("N3: one stream too many ends the oldest of the account, and no other's")
    func limit() async throws {
        try await World.run { world in
            try await world.withProcess(["SERAI_STREAMS_PER_ACCOUNT": "3"]) { process in
                let account = UUID.timeOrdered()
                let other = try await process.stream(.timeOrdered())
                var streams: [StreamClient] = []
                for _ in 0..<5 { streams.append(try await process.stream(account)) }
                try await eventually("the two oldest have ended") { streams[0].hasEnded && streams[1].hasEnded }
                #expect(streams[0].events.last?.name == "replaced")
                #expect(streams[2...].allSatisfy { !$0.hasEnded } && !other.hasEnded)
                await streams[2].cut()
                try await world.publish(Sample(customer: account).changed(version: 1))
                try await eventually("the others live on") {
                    streams[3].events("order").count == 1 && streams[4].events("order").count == 1
                }
            }
        }
    }

    @Test("N3: a process has no more streams than its limit, and says when to come again")
    func fullProcess() async throws {
        try await World.run { world in
            try await world.withProcess(["SERAI_STREAMS_LIMIT": "3"]) { process in
                let path = "/notifications/v1/stream"
                let token = try await world.token(.timeOrdered(), language: "en")
                // An answer without a body takes no place for longer than it lasts.
                for _ in 0..<5 { #expect(try await process.request("HEAD", path, token: token).status == 200) }
                var streams: [StreamClient] = []
                for _ in 0..<3 { streams.append(try await process.stream(.timeOrdered())) }
                let refused = try await process.request("GET", path, token: token)
                #expect(refused.status == 503)
                #expect(try refused.slug == "too-many-streams")
                let seconds = try #require(refused.headers.first(name: "Retry-After").flatMap { Int($0) })
                #expect((5...15).contains(seconds))
                #expect(refused.text.contains("\(seconds) seconds"), "\(refused.text)")
                #expect(try await process.request("GET", "/notifications/v1/inbox", token: token).status == 200)
                await streams.removeLast().cut()
                try await eventually("there is room again") {
                    let client = StreamClient(port: process.port, token: token, after: nil)
                    try await eventually("it is answered") { client.status != nil }
                    if client.status == 200 { streams.append(client) }
                    return client.status == 200
                }
                #expect(try await process.request("GET", path, token: token).status == 503)
                #expect(process.hub.count == 3)
            }
        }
    }

    @Test("N3: of many that come at once no more get in than there are places")
    func rush() async throws {
        try await World.run { world in
            try await world.withProcess(["SERAI_STREAMS_LIMIT": "4"]) { process in
                var tokens: [String] = []
                for _ in 0..<24 { tokens.append(try await world.token(.timeOrdered())) }
                let clients = tokens.map { StreamClient(port: process.port, token: $0, after: nil) }
                try await eventually("all are answered") { clients.allSatisfy { $0.status != nil } }
                #expect(clients.count { $0.status == 200 } == 4)
                #expect(clients.count { $0.status == 503 } == 20)
            }
        }
    }

    @Test("N3: shutdown ends streams at once, and the client resumes elsewhere")
    func shutdown() async throws {
        try await World.run { world in
            let sample = Sample()
            let first = try await NotificationsProcess.start(world, ["SERAI_SHUTDOWN_DRAIN_MILLISECONDS": "2500"])
            var streams: [StreamClient] = []
            for _ in 0..<5 { streams.append(try await first.stream(sample.customer)) }
            try await world.publish(sample.changed(version: 1))
            try await eventually("all have seen it") { streams.allSatisfy { $0.numbers == [1] } }
            await first.beginStopping()
            try await eventually("all have ended") { streams.allSatisfy(\.hasEnded) }
            #expect(streams.allSatisfy { $0.events.last?.name == "closing" })
            // The server is still there, and takes no more streams.
            #expect(try await first.request("GET", "/health/live", token: nil).status == 200)
            let token = try await world.token(sample.customer)
            #expect(try await first.request("GET", "/notifications/v1/stream", token: token).status == 503)
            try await first.stop()
            try await world.publish(sample.changed(version: 2))
            try await world.withProcess { second in
                let resumed = try await second.stream(sample.customer, after: streams[0].lastID)
                try await eventually("what came meanwhile is there") { resumed.numbers == [2] }
            }
        }
    }
}
