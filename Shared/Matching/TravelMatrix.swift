/// Travel times between the places of one round, requested before the round and all at once.
///
/// Places are numbered from 0 by the creator of the matrix.
public struct TravelMatrix: Sendable {
    public let count: Int
    private let values: [Int32]

    /// - Parameter seconds: the time from the first place to the second; at least 0, at most some years.
    public init(count: Int, seconds: (Int, Int) -> Int) {
        self.count = count
        var values: [Int32] = []
        values.reserveCapacity(count * count)
        for from in 0..<count {
            for to in 0..<count { values.append(Int32(clamping: max(0, seconds(from, to)))) }
        }
        self.values = values
    }

    /// Seconds from one place to another.
    public func seconds(_ from: Int, _ to: Int) -> Int { Int(values[from * count + to]) }
}
