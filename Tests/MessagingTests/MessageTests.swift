import Foundation
@testable import Messaging
import SeraiJSON
import Testing

@Suite("Messages")
struct MessageTests {
    @Test("a name on the wire has a service, a subject and a version")
    func names() {
        #expect(MessageName(parsing: "dispatch.order.accepted.v1")?.service == "dispatch")
        for wrong in [
            "", "dispatch", "dispatch.v1", "dispatch.order.accepted", "Dispatch.order.v1", "a..v1", "a.b.v0", "a.b.vx",
        ] {
            #expect(MessageName(parsing: wrong) == nil, "\(wrong)")
        }
    }

    @Test("times are RFC 3339 in UTC with milliseconds, and unknown fields are ignored")
    func json() throws {
        struct Sample: Codable, Equatable {
            let at: Date
            let order: String
        }
        let sample = Sample(at: Date(timeIntervalSince1970: 1_700_000_000.25), order: "a/b")
        let text = try JSON.wire.text(sample)
        #expect(text.contains(#""at":"2023-11-14T22:13:20.250Z""#))
        #expect(text.contains(#""order":"a/b""#))
        let body = Array(#"{"at":"2023-11-14T22:13:20Z","order":"x","later":{"a":1}}"#.utf8)
        #expect(
            try JSON.wire.decode(Sample.self, body)
                == Sample(at: Date(timeIntervalSince1970: 1_700_000_000), order: "x"))
    }

    @Test("ids made later sort later and tell their time")
    func ids() {
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        let id = UUID.timeOrdered()
        #expect(id.timeMilliseconds.map { $0 >= before && $0 <= before + 10_000 } == true)
        #expect(UUID().timeMilliseconds == nil)
    }

    @Test("ids of one moment differ, and those made later sort later")
    func order() async throws {
        let made = await withTaskGroup(of: [UUID].self) { tasks in
            for _ in 0..<8 { tasks.addTask { (0..<2_000).map { _ in UUID.timeOrdered() } } }
            return await tasks.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(made).count == made.count)
        let before = UUID.timeOrdered()
        try await Task.sleep(for: .milliseconds(2))
        #expect(before.text < UUID.timeOrdered().text)
        #expect(made.allSatisfy { $0.uuid.6 >> 4 == 7 && $0.uuid.8 >> 6 == 2 })
    }
}
