import Foundation
import Postgres
import ServiceKit

/// A place in a list that is ordered by time and id.
struct ListPosition: Sendable {
    let at: Date
    let id: UUID

    /// After every row of a list that begins with the newest.
    static let newest = ListPosition(
        at: .distantFuture,
        id: UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)))
    /// Before every row.
    static let oldest = ListPosition(at: .distantPast, id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

    init(at: Date, id: UUID) {
        self.at = at
        self.id = id
    }

    /// Where a cursor of such a list goes on; without one at the newest.
    init(after cursor: Cursor?) {
        if let values = cursor?.values, values.count == 2, let at = values[0].date, let id = values[1].uuid {
            self.init(at: at, id: id)
        } else {
            self = .newest
        }
    }

    var cursorValues: [CursorValue] { [.date(at), .uuid(id)] }

    func bind(_ bindings: inout Bindings) { bindings.append(at, id) }
}
