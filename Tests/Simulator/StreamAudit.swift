import Contracts
import Foundation
import Phones

/// What is wrong with what one party's stream said. Pure.
///
/// What the stream promises, and what is counted against it:
/// - An event id never repeats, also after a reconnection; nor does an inbox item; nor an order's version with the same
///   event: a duplicate.
/// - The order's last version is seen, and every item that is in the inbox: else one is lost. A version in between may be
///   left out when a newer one was already told: it is no loss, for each event is whole.
struct StreamAudit: Equatable {
    enum Said: Equatable {
        case order(UUID, version: Int, event: String)
        case inbox(String)
        /// What was said after the number that the phone had named is gone; so what was said before may be said again.
        case missed
        /// The order, or the item, as the phone itself read it after that.
        case read(UUID, version: Int)
        case readItem(String)
        case other
    }

    var duplicates: [String] = []
    var lost: [String] = []
    /// Versions that newer ones overtook.
    var leftOut = 0

    /// - Parameters:
    ///   - said: what was said, with the events' ids, in its order.
    ///   - finals: the last versions of all orders of this party.
    ///   - inbox: the ids of the items that are in the inbox.
    init(_ said: [(id: String?, said: Said)], finals: [UUID: Int], inbox: [String]) {
        var ids: Set<String> = []
        var versions: [UUID: Set<Int>] = [:]
        // Before something was missed.
        var earlier: [UUID: Set<Int>] = [:]
        var (fresh, known): (Set<String>, Set<String>) = ([], [])
        var events: Set<String> = []
        for entry in said {
            if let id = entry.id, !ids.insert(id).inserted { duplicates.append("event id \(id)") }
            switch entry.said {
            case .order(let order, let version, let event):
                versions[order, default: []].insert(version)
                let key = "order \(order.path) version \(version) \(event)"
                if !events.insert(key).inserted { duplicates.append(key) }
            case .inbox(let item):
                known.insert(item)
                if !fresh.insert(item).inserted { duplicates.append("inbox item \(item)") }
            case .read(let order, let version): versions[order, default: []].insert(version)
            case .readItem(let item): known.insert(item)
            case .missed:
                earlier.merge(versions) { $1 }
                (versions, events, fresh) = ([:], [], [])
            case .other: break
            }
        }
        for (order, last) in finals.sorted(by: { $0.key.path < $1.key.path }) {
            let seen = versions[order] ?? earlier[order] ?? []
            if seen.max() ?? 0 < last {
                let newest = seen.max().map { "version \($0)" } ?? "nothing"
                lost.append("order \(order.path) version \(last); seen \(newest)")
            }
            leftOut += max(0, last - seen.count)
        }
        for item in inbox where !known.contains(item) { lost.append("inbox item \(item)") }
    }

    /// Everything that a log holds.
    static func said(_ log: StreamLog) -> [(id: String?, said: Said)] {
        log.entries.map { entry in
            switch entry.event {
            case .order(let order) where entry.id == nil: (nil, .read(order.id, version: order.version))
            case .order(let order): (entry.id, .order(order.id, version: order.version, event: order.event ?? ""))
            case .inbox(let item): entry.id == nil ? (nil, .readItem(item.id)) : (entry.id, .inbox(item.id))
            case .ready(hasMissed: true): (nil, .missed)
            case .ready, .payment, .position, .friendPlace, .undone, .unknown, .unreadable: (entry.id, .other)
            }
        }
    }
}
