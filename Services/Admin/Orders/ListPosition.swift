import Foundation
import Postgres
import ServiceKit

/// A position in a list ordered by time and id.
struct ListPosition: Sendable {
    let at: Date
    let id: UUID

    /// The start of a list with the newest first.
    static let newest = ListPosition(
        at: .distantFuture,
        id: UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)))
    /// The start of a list with the oldest first.
    static let oldest = ListPosition(at: .distantPast, id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

    init(at: Date, id: UUID) {
        self.at = at
        self.id = id
    }

    /// The position of a cursor, or ``newest`` without one.
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
