/// How many push messages are under way, and to which hosts: a slow one may not take the place of all others.
struct PushLanes: Equatable {
    /// So many are claimed at once.
    static let batch = 16
    /// Under way at once.
    static let limit = 96
    /// A host with so many gets no more until one of them ends, so it has at most this and a batch.
    static let perHost = 16

    private var underWay: [String: Int] = [:]
    private var count = 0
    /// Since the last claim.
    private var ended = 0
    private var mayBeMore = false

    var mayClaim: Bool { mayBeMore && count + Self.batch <= Self.limit }

    var fullHosts: [String] { underWay.filter { $0.value >= Self.perHost }.keys.sorted() }

    /// Time has passed, so there may be something new.
    mutating func look() { mayBeMore = true }

    /// - Parameter hosts: of those that were claimed. A batch that is not full was all that there is for now.
    mutating func begin(_ hosts: [String]) {
        for host in hosts { underWay[host, default: 0] += 1 }
        count += hosts.count
        ended = 0
        mayBeMore = hosts.count == Self.batch
    }

    mutating func end(_ host: String) {
        let left = underWay[host, default: 1] - 1
        underWay[host] = left > 0 ? left : nil
        count -= 1
        ended += 1
        // What waits for this host was left out as long as it was full, and the next of a device waits for the one before it.
        if left == Self.perHost - 1 || count == 0 || ended == Self.batch / 2 { mayBeMore = true }
    }
}
