import Foundation
import Testing

@testable import Sandbox

@Suite("C9: the sandbox's places")
struct PlaceSearchTests {
    @Test("C9: places are found by words of their name in either language, within a box and to a limit")
    func find() throws {
        #expect(Gazetteer.find("kings", within: nil, limit: 5).map(\.name) == ["Kings Park"])
        #expect(Gazetteer.find("hospital", within: nil, limit: 1).count == 1)
        #expect(Gazetteer.find("perth hospital", within: nil, limit: 5).map(\.id) == [8])
        #expect(Gazetteer.find("شارع العليا", within: nil, limit: 5).map(\.id) == [3])
        let perth = try #require(Gazetteer.Box("115.5,-31.4,116.2,-32.7"))
        #expect(Gazetteer.find("hospital", within: perth, limit: 5).map(\.id) == [8])
        #expect(Gazetteer.find("", within: nil, limit: 5).isEmpty && Gazetteer.Box("1,2,3") == nil)
        let ids = Gazetteer.places.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test("C9: what is at a pin is the nearest place within a kilometre")
    func nearest() {
        #expect(Gazetteer.nearest(latitude: 24.7118, longitude: 46.6740)?.id == 1)
        #expect(Gazetteer.nearest(latitude: 0, longitude: 0) == nil)
        #expect(Gazetteer.places[0].displayName(in: "ar") == "برج المملكة، Riyadh")
    }
}
