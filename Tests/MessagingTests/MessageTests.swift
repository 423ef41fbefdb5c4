import Foundation
@testable import Messaging
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
        let text = String(decoding: try MessageJSON.encode(sample), as: UTF8.self)
        #expect(text.contains(#""at":"2023-11-14T22:13:20.250Z""#))
        #expect(text.contains(#""order":"a/b""#))
        let body = Array(#"{"at":"2023-11-14T22:13:20Z","order":"x","later":{"a":1}}"#.utf8)
        #expect(
            try MessageJSON.decode(Sample.self, body)
                == Sample(at: Date(timeIntervalSince1970: 1_700_000_000), order: "x"))
    }

    @Test("ids made later sort later and tell their time")
    func ids() {
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        let id = UUID.timeOrdered()
        #expect(id.timeMilliseconds.map { $0 >= before && $0 <= before + 10_000 } == true)
        #expect(UUID().timeMilliseconds == nil)
    }
}
