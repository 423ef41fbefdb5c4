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

    func bind(_ bindings: inout Bindings) { bindings.append(at, id) }
}

extension ListPage {
    /// The position at which the page begins.
    func position(first: ListPosition) -> ListPosition { last.map { ListPosition(at: $0.at, id: $0.id) } ?? first }
}
