import Foundation
import Logging
import Matching
import Postgres
import SeraiJSON
import ServiceKit

/// An order's way as stored.
enum StoredWay: Sendable {
    case measured(Odometer)
    /// The walk cannot be decoded, so nothing is known of the way's start. This concerns the order alone.
    case unreadable

    var measured: Odometer? {
        if case .measured(let odometer) = self { odometer } else { nil }
    }

    /// Nil if it is not known.
    var start: Fix? { measured?.start }
}

extension Order {
    /// See ``finedMetres(of:)``. Of a way that cannot be read nothing is fined, because its start limits the fine.
    func finedMetres(ofStored way: StoredWay?, logger: Logger?) -> Double {
        switch way {
        case .measured(let odometer)?: return finedMetres(of: odometer)
        case .unreadable?:
            logger?.error("the order's way cannot be read; no metre is fined", metadata: [LogKeys.orderID: "\(id)"])
            return 0
        case nil: return 0
        }
    }
}

/// The column with an odometer's state.
enum StoredWalk: Sendable {
    /// There is no odometer yet, or an older version of the program wrote it.
    case none
    case stored(StoredOdometerState)
    case unreadable

    var state: StoredOdometerState? {
        if case .stored(let state) = self { state } else { nil }
    }

    var isUnreadable: Bool {
        if case .unreadable = self { true } else { false }
    }
}

extension RowReader {
    /// An unreadable walk is no error of the statement, which may read the orders of many.
    mutating func nextWalk() throws(PostgresError) -> StoredWalk {
        let json: PostgresJSON? = try next()
        guard let json else { return .none }
        // try?: a failure is a case of the result.
        let state = try? JSON.stored.decode(StoredOdometerState.self, json.text)
        return state.map { .stored($0) } ?? .unreadable
    }
}
