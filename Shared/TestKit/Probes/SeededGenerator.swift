import Foundation

/// A source of random numbers that repeats itself for the same seed. Put it into the failure's comment: it prints its
/// seed, and `SERAI_SEED` in the environment runs the test again with that one.
///
/// SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
    /// What the numbers follow from.
    public let seed: UInt64
    private var state: UInt64

    /// - Parameter seed: by default that of `SERAI_SEED`, decimal or hexadecimal with `0x`, else a random one.
    public init(seed: UInt64? = nil) {
        self.seed = seed ?? Self.environmentSeed ?? UInt64.random(in: .min ... .max)
        self.state = self.seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public var description: String { "SERAI_SEED=0x" + String(seed, radix: 16) }

    private static let environmentSeed: UInt64? = {
        guard let text = ProcessInfo.processInfo.environment["SERAI_SEED"] else { return nil }
        return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }()
}
