import Contracts
import Testing

@Suite("P2: numbers and areas of settings")
struct AreaTests {
    @Test(
        "P2: an area is a simple polygon with a surface, in plain numbers",
        arguments: [
            ("57.5,11.6 57.7,11.6 57.7,12", true), ("57.5,11.6 57.5,11.6 57.5,11.6", false),
            ("57.5,11.6 57.6,11.7 57.7,11.8", false), ("57.5,11.6 57.7,12 57.7,11.6 57.5,12", false),
            ("0x1p3,11.6 57.7,11.6 57.7,12", false), ("+57.5,11.6 57.7,11.6 57.7,12", false),
            ("nan,11.6 57.7,11.6 57.7,12", false), ("5e1,11.6 57.7,11.6 57.7,12", false),
            ("57.5,11.6, 57.7,11.6 57.7,12", false), ("57.5,11.6 57.50001,11.6 57.5,11.60001", false),
            ("-90,-180 90,-180 90,180 -90,180", false), ("57.5,11.6 57.7,11.6 57.6,11.6 57.6,12", false),
        ])
    func areas(_ text: String, isArea: Bool) {
        var settings = Market.carrepsa.defaults
        do {
            try settings.set(.serviceArea, to: text)
            #expect(isArea, "\(text)")
        } catch {
            #expect(!isArea, "\(text)")
        }
    }

    @Test("P2: the areas that the markets begin with are such", arguments: Market.all.map(\.id))
    func defaults(_ id: String) throws {
        let market = try #require(Market.named(id))
        #expect(ServiceArea(corners: market.defaults.serviceArea).isSimple)
    }

    @Test(
        "P10: a number is digits, and a point at most",
        arguments: ["+5", "0x10", "nan", "inf", "1e3", "", "-", "5.", ".5", "٥", " 5"])
    func numbers(_ text: String) {
        #expect(Double(plain: text) == nil && Int(plain: text) == nil)
        #expect(Int(plain: "-12") == -12 && Double(plain: "-12.50") == -12.5)
    }
}
