/// How many messages are under way, and whose they are: a slow host, or a business whose endpoint does not answer, may not take
/// the place of all others. A lane is a host of push messages, or the owner of webhooks.
struct SendingLanes: Equatable {
    /// So many are claimed at once.
    static let batch = 16
    /// Under way at once.
    static let limit = 96
    /// A lane with so many gets no more until one of them ends, so it has at most this and a batch.
    static let perLane = 16

    private var underWay: [String: Int] = [:]
    private var count = 0
    /// Since the last claim.
    private var ended = 0
    private var mayBeMore = false

    var mayClaim: Bool { mayBeMore && count + Self.batch <= Self.limit }

    var full: [String] { underWay.filter { $0.value >= Self.perLane }.keys.sorted() }

    /// Time has passed, so there may be something new.
    mutating func look() { mayBeMore = true }

    /// - Parameter lanes: of those that were claimed. A batch that is not full was all that there is for now.
    mutating func begin(_ lanes: [String]) {
        for lane in lanes { underWay[lane, default: 0] += 1 }
        count += lanes.count
        ended = 0
        mayBeMore = lanes.count == Self.batch
    }

    mutating func end(_ lane: String) {
        let left = underWay[lane, default: 1] - 1
        underWay[lane] = left > 0 ? left : nil
        count -= 1
        ended += 1
        // This lane's messages were left out while it was full, and a device's next message waits for the one before it.
        if left == Self.perLane - 1 || count == 0 || ended == Self.batch / 2 { mayBeMore = true }
    }
}
