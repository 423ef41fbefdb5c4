import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N4: the parties of an order write to each other", .timeLimit(.minutes(15)))
struct TalkTests {
    @Test("N4, N3: what one says the other hears on the stream and reads, numbered; each hears it on all devices")
    func bothWays() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let hears = try await scene.process.stream(provider, after: 0)
            let own = try await scene.process.stream(customer, after: 0)
            let id = UUID.timeOrdered()
            let said = try await scene.say("  I am at the gate\u{202E} \n", by: customer, as: id)
            #expect(said.status == 200, "\(said.text)")
            #expect(try said.json["text"] as? String == "I am at the gate")
            #expect(try said.json["number"] as? Int == 1)
            try await eventually("both streams tell it") {
                hears.events("message").count == 1 && own.events("message").count == 1
            }
            let told = try #require(hears.events("message").first)
            #expect(told.text("text") == "I am at the gate" && told.text("from") == "customer")
            #expect(told.text("order") == scene.sample.order.text && told.text("conversation") == scene.conversation)
            #expect(told.text("message") == id.text)
            #expect(try await scene.say("قادم", by: provider).json["number"] as? Int == 2)
            #expect(try await scene.messages(customer).map { $0["text"] as? String } == ["قادم", "I am at the gate"])
            let talk = try await scene.talk(provider)
            #expect((talk["with"] as? [String: Any])?["name"] as? String == "Salem")
            #expect(talk["open"] as? Bool == true && talk["role"] as? String == "provider")
        }
    }

    @Test("N4: a message that is sent again is the same one, is told once, and its id serves nobody else")
    func repeated() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let hears = try await scene.process.stream(provider, after: 0)
            let id = UUID.timeOrdered()
            let answers = try await [
                scene.say("Once", by: customer, as: id), scene.say("Once", by: customer, as: id),
                scene.say("Other words", by: customer, as: id),
            ]
            #expect(Set(answers.map(\.text)).count == 1)
            let taken = try await scene.say("Mine", by: provider, as: id)
            #expect(try taken.status == 409 && taken.slug == "message-id-taken")
            try await scene.say("Last", by: customer)
            try await eventually("the last is told") { hears.events("message").count == 2 }
            #expect(try await scene.messages(customer).count == 2)
        }
    }

    @Test(
        "N4, P6: two who write at once, on two processes, have one row of numbers without gaps, and both hear the same")
    func atOnce() async throws {
        try await World.run { world in
            try await world.withProcess { first in
                try await world.withProcess { second in
                    let scene = try await TalkScene.make(world, first, Sample(start: Date()))
                    let (customer, provider) = (scene.sample.customer, scene.sample.provider)
                    let streams = try await [first.stream(customer, after: 0), second.stream(provider, after: 0)]
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<12 {
                            group.addTask {
                                let answer = try await scene.say("c\(number)", by: customer, on: first)
                                #expect(answer.status == 200, "\(answer.text)")
                            }
                            group.addTask {
                                let answer = try await scene.say("p\(number)", by: provider, on: second)
                                #expect(answer.status == 200, "\(answer.text)")
                            }
                        }
                        try await group.waitForAll()
                    }
                    #expect(
                        try await scene.messages(customer).compactMap { $0["number"] as? Int } == (1...24).reversed())
                    for stream in streams {
                        try await eventually("all are told") { stream.events("message").count == 24 }
                        #expect(stream.events("message").compactMap { $0.number("number") } == Array(1...24))
                    }
                }
            }
        }
    }

    @Test("N3, N4: a stream that is cut and goes on tells each message once, in order")
    func resumed() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            var seen: [Int] = []
            var last = 0
            for round in 0..<5 {
                let stream = try await scene.process.stream(provider, after: last)
                for number in 0..<3 { try await scene.say("\(round) \(number)", by: customer) }
                // Whatever has come by now; the next stream goes on from there.
                try await eventually("something has come") { stream.lastID ?? 0 > last }
                await stream.cut()
                seen += stream.events("message").compactMap { $0.number("number") }
                last = stream.lastID ?? last
            }
            let rest = try await scene.process.stream(provider, after: last)
            try await eventually("all have come") {
                seen.count + rest.events("message").count == 15
            }
            #expect(seen + rest.events("message").compactMap { $0.number("number") } == Array(1...15))
        }
    }

    @Test("N4: what is unread is counted, marks rise and never fall, and the other one sees them")
    func marks() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            for text in ["One", "Two", "Three"] { try await scene.say(text, by: customer) }
            #expect(try await scene.unread(provider) == 3)
            #expect(try await scene.unread(customer) == 0)
            let sees = try await scene.process.stream(customer, after: 0)
            func mark(_ body: String) async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    "PUT", "\(TalkScene.path)/\(scene.conversation)/marks", token: try await scene.token(of: provider),
                    body: body)
            }
            #expect(try await mark(#"{"delivered": 3}"#).json["unread"] as? Int == 3)
            #expect(try await mark(#"{"read": 2}"#).json["unread"] as? Int == 1)
            // Neither back nor beyond the last one.
            #expect(try await mark(#"{"read": 1}"#).json["read"] as? Int == 2)
            #expect(try await mark(#"{"read": 99}"#).json["read"] as? Int == 3)
            #expect(try await scene.unread(provider) == 0)
            try await eventually("the marks are told") { sees.events("marks").count == 3 }
            #expect(sees.events("marks").map { $0.number("read") } == [0, 2, 3])
            #expect(sees.events("marks").allSatisfy { $0.text("role") == "provider" && $0.number("delivered") == 3 })
            let with = try await scene.talk(customer)["with"] as? [String: Any]
            #expect(with?["read"] as? Int == 3)
            #expect(try await mark(#"{"read": -1}"#).status == 422)
        }
    }

    @Test(
        "N1: whoever has read everything gets an item for the first of several messages, and one more after reading it")
    func items() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            func items() async throws -> [InboxEntry] {
                try await scene.process.inbox(provider).filter { $0.topic == InboxTopic.talkMessage.rawValue }
            }
            for text in ["One", "Two", "Three"] { try await scene.say(text, by: customer) }
            let first = try await items()
            #expect(first.map(\.subject) == ["Message from Salem"])
            #expect(first.first?.order == scene.sample.order)
            _ = try await scene.process.request(
                "PUT", "\(TalkScene.path)/\(scene.conversation)/marks", token: try await scene.token(of: provider),
                body: #"{"read": 3}"#)
            try await scene.say("Four", by: customer)
            #expect(try await items().count == 2)
        }
    }

    @Test("N4: that somebody is typing is told to the other alone, and not stored")
    func typing() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let hears = try await scene.process.stream(provider)
            let own = try await scene.process.stream(customer)
            func type() async throws -> Int {
                try await scene.process.request(
                    "PUT", "\(TalkScene.path)/\(scene.conversation)/typing", token: try await scene.token(of: customer)
                ).status
            }
            // A signal that is sent before the process listens is lost, as it may be.
            try await eventually("it is told") {
                let status = try await type()
                return (status == 204 || status == 429) && !hears.events("typing").isEmpty
            }
            #expect(hears.events("typing").first?.text("role") == "customer")
            #expect(own.events("typing").isEmpty)
            // It has no number, so no stream that goes on tells it again.
            #expect(hears.events("typing").allSatisfy { $0.id == nil })
        }
    }

    @Test("N4: a photo loses the camera's data, a voice note is known by its bytes; both are read by the two alone")
    func files() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let (photo, voice) = (UUID.timeOrdered(), UUID.timeOrdered())
            let sent = try await scene.send(SampleFiles.jpeg, by: customer, as: photo)
            #expect(try sent.status == 200 && sent.json["kind"] as? String == "photo", "\(sent.text)")
            let spoken = try await scene.send(
                SampleVoices.webm, type: "audio/webm;codecs=opus", by: provider, as: voice, query: "?seconds=12")
            #expect(spoken.status == 200, "\(spoken.text)")
            #expect(try spoken.json["kind"] as? String == "voice" && spoken.json["seconds"] as? Int == 12)
            #expect(try await scene.send(SampleVoices.webm, by: provider, as: voice).text == spoken.text)
            func read(_ id: UUID, _ token: String) async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    "GET", "\(TalkScene.path)/\(scene.conversation)/messages/\(id.text)/file", token: token)
            }
            let shown = try await read(photo, try await scene.token(of: provider))
            #expect(shown.headers.first(name: "Content-Type") == "image/jpeg")
            #expect(shown.headers.first(name: "X-Content-Type-Options") == "nosniff")
            for secret in SampleFiles.secrets { #expect(Data(shown.body).range(of: Data(secret.utf8)) == nil) }
            let heard = try await read(voice, try await scene.token(of: customer))
            #expect(heard.headers.first(name: "Content-Type") == "audio/webm" && heard.body == SampleVoices.webm)
            #expect(try await read(photo, try await scene.token(.timeOrdered())).status == 404)
            for wrong in [Array("<html>".utf8), SampleVoices.video, SampleFiles.pdf, []] {
                #expect(try await scene.send(wrong, by: customer).status == 422)
            }
            #expect(try await scene.send(SampleFiles.jpeg, type: "text/html", by: customer).status == 415)
            let large = SampleFiles.jpeg + [UInt8](repeating: 0, count: ConversationRoutes.maximumFileBytes)
            #expect(try await scene.send(large, by: customer).status == 413)
        }
    }

    @Test("N4: a text is bounded and has words; nothing that cannot be shown is in it")
    func texts() async throws {
        try await TalkScene.run { scene async throws in
            let customer = scene.sample.customer
            for text in ["", "   ", "\u{202E}", String(repeating: "x", count: 2_001), "a\u{0}b", "a\u{1B}[31m"] {
                #expect(try await scene.say(text, by: customer).status == 422, "\(text.prefix(10))")
            }
            #expect(try await scene.say(String(repeating: "x", count: 2_000), by: customer).status == 200)
            let html = "<script>alert(1)</script> & line\nnext"
            #expect(try await scene.say(html, by: customer).json["text"] as? String == html)
        }
    }

    @Test("N4: whoever writes too fast is told to wait, and the other may go on")
    func rate() async throws {
        try await TalkScene.run { scene in
            var statuses: [Int] = []
            for number in 0..<60 where !statuses.contains(429) {
                statuses.append(try await scene.say("\(number)", by: scene.sample.customer).status)
            }
            #expect(statuses.contains(429) && statuses.filter { $0 == 200 }.count >= 30)
            #expect(try await scene.say("Slowly", by: scene.sample.provider).status == 200)
        }
    }
}
