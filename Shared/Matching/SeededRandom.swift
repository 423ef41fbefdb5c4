/// Pseudo-random numbers that are equal for equal seeds, so that equal rounds have equal plans.
///
/// SplitMix64 (Steele, Lea, Flood 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<count`.
    mutating func number(below count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    /// True once in this many times, on average.
    mutating func once(in times: Int) -> Bool { number(below: times) == 0 }
}
