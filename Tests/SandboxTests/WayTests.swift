import Foundation
import Testing

@testable import Sandbox

@Suite("The sandbox's ways")
struct WayTests {
    @Test("H3: a way goes along one side and then the other, and turns where it does")
    func turns() throws {
        let (from, to) = try #require(SandboxWay.places(in: "39.8,21.4;39.9,21.5"))
        let way = try #require(SandboxWay.told(from: from, to: to, isWalking: true).routes.first)
        #expect(way.geometry.coordinates == [[39.8, 21.4], [39.8, 21.5], [39.9, 21.5]])
        let steps = try #require(way.legs.first?.steps)
        #expect(steps.map(\.maneuver.type) == ["depart", "turn", "arrive"])
        #expect(steps[1].maneuver.modifier == "right")
        #expect(abs(steps.map(\.distance).reduce(0, +) - way.distance) < 0.001)
        #expect((20_000...23_000).contains(way.distance) && way.duration > 10_000)
        let back = try #require(SandboxWay.told(from: to, to: from, isWalking: false).routes.first)
        #expect(back.legs.first?.steps[1].maneuver.modifier == "right")
        for text in ["", "39.8,21.4", "39.8,21.4;39.9", "39.8,91;39.9,21.5", "a,b;c,d"] {
            #expect(SandboxWay.places(in: text) == nil, "\(text)")
        }
    }
}
