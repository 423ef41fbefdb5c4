import Foundation
import TestKit
import Testing

@testable import SeraiJSON

@Suite("Ids and times as text")
struct WireTextTests {
    @Test("ids are written as Foundation writes them, in lower case or in capitals")
    func ids() {
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let id = UUID(using: &generator)
            var capitals: [UInt8] = []
            WireID.append(id, inCapitals: true, to: &capitals)
            #expect(WireID.text(id) == id.uuidString.lowercased(), "\(generator)")
            #expect(capitals == Array(id.uuidString.utf8), "\(generator)")
            #expect(WireID.parse(WireID.text(id)) == id && WireID.parse(id.uuidString) == id, "\(generator)")
        }
        for wrong in ["", "0189-", "0x89c2f0-5a4b-7c3d-8e2f-1a2b3c4d5e6f", "0189c2f005a4b-7c3d-8e2f-1a2b3c4d5e6f"] {
            #expect(WireID.parse(wrong) == nil, "\(wrong)")
        }
    }

    private struct Asked: Decodable {
        let id: UUID
        let other: UUID?
    }

    @Test("a message's ids are read in either case; one that may be missing may be null; anything else is no message")
    func reading() throws {
        let id = UUID()
        let text = WireID.text(id)
        func read(_ json: String) throws -> Asked { try JSON.wire.decode(Asked.self, json.utf8) }
        #expect(try read(#"{"id":"\#(id.uuidString)"}"#).id == id)
        #expect(try read(#"{"id":"\#(text)","other":null}"#).other == nil)
        #expect(try read(#"{"id":"\#(text)","other":"\#(text)"}"#).other == id)
        let wrongs = [
            #"{}"#, #"{"id":null}"#, #"{"id":7}"#, #"{"id":"\#(text)0"}"#, #"{"id":"\#(text)","other":""}"#,
        ]
        for wrong in wrongs {
            #expect(throws: DecodingError.self, "\(wrong)") { try read(wrong) }
        }
    }

    @Test("times are written as Foundation writes them, and read back the same")
    func times() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var generator = SeededGenerator()
        var samples = (0..<20_000).map { _ in
            Int.random(in: -11_676_096_000_000...253_402_300_799_999, using: &generator)
        }
        samples += (0..<20_000).map { _ in Int.random(in: 1_700_000_000_000...2_000_000_000_000, using: &generator) }
        // The ends of days, months and years, with and without a leap.
        samples += [
            -11_676_096_000_001, -12_300_000_000_000, -62_135_596_800_000, 0, -1, 1, 951_782_399_999, 951_782_400_000,
            4_107_542_399_999, 1_709_164_800_000, 1_735_689_599_999,
        ]
        for milliseconds in samples {
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            // Foundation cuts off what is below a millisecond, and most lie a little below.
            let foundation = Date(timeIntervalSince1970: (Double(milliseconds) + 0.1) / 1_000).formatted(style)
            let text = WireTime.text(date)
            #expect(text == foundation, "\(milliseconds) \(generator)")
            // Earlier years are written and not read.
            guard text >= "1600" else {
                #expect(WireTime.parse(text) == nil)
                continue
            }
            let read = try #require(WireTime.parse(text), "\(text)")
            #expect(abs(read.timeIntervalSince(try style.parse(text))) < 0.000_01, "\(text)")
            #expect(WireTime.text(read) == text)
        }
    }

    @Test("a time of another form, or that does not exist, is read strictly or not at all")
    func unusual() {
        let plain = Date.ISO8601FormatStyle.iso8601
        for text in ["2026-11-22T07:45:00Z", "2024-02-29T23:59:59Z", "1999-12-31T00:00:00Z"] {
            // try?: nil on either side is a difference.
            #expect(WireTime.parse(text) == (try? plain.parse(text)), "\(text)")
        }
        #expect(WireTime.parse("2026-11-22T10:45:00+03:00") == WireTime.parse("2026-11-22T07:45:00Z"))
        for text in [
            "", "now", "2026-13-01T00:00:00Z", "2026-11-22 07:45:00", "2026-11-22T07:45:00.1x3Z",
            "0000-01-01T00:00:00Z", "2024-02-30T00:00:00.000Z", "2026-11-22T07:45:00",
        ] {
            #expect(WireTime.parse(text) == nil, "\(text)")
        }
        let far = Date(timeIntervalSince1970: 300_000_000_000)
        #expect(WireTime.text(far) == far.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}

extension UUID {
    init(using generator: inout SeededGenerator) {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        }
        self.init(uuid: bytes)
    }
}
