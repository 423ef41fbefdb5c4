import Foundation
import Matching

/// 100 000 providers in a town like Riyadh, 85 by 85 kilometres, of whom three in ten are busy. The same every time.
struct Town {
    static let providers = 100_000
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    var random = SeededNumbers(seed: 7)
    let ids: [UUID]
    private(set) var places: [GeoPoint] = []
    private(set) var busy: Set<UUID> = []

    init() {
        ids = (0..<Self.providers).map { number in
            let number = UInt32(number)
            return UUID(
                uuid: (
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 24), UInt8(number >> 16 & 255),
                    UInt8(number >> 8 & 255), UInt8(number & 255)
                ))
        }
        for id in ids {
            places.append(point())
            if Int.random(in: 0..<10, using: &random) < 3 { busy.insert(id) }
        }
    }

    mutating func point() -> GeoPoint {
        GeoPoint(
            latitude: .random(in: 24.3...25.06, using: &random), longitude: .random(in: 46.3...47.14, using: &random))
    }

    /// Some hundred metres on.
    mutating func step(_ provider: Int) -> GeoPoint {
        let place = places[provider]
        places[provider] = GeoPoint(
            latitude: place.latitude + .random(in: -0.002...0.002, using: &random),
            longitude: place.longitude + .random(in: -0.002...0.002, using: &random))
        return places[provider]
    }
}

/// The same numbers for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
