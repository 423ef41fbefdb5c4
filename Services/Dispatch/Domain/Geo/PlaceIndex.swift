import Foundation

/// Who was where last, so that the nearest few are found among very many within microseconds.
///
/// A value without clock or IO. Not bounded by itself: its owner forgets what is old.
struct PlaceIndex: Sendable {
    struct Found: Hashable, Sendable {
        let id: UUID
        let place: GeoPoint
        let at: Date
        /// As the crow flies.
        let metres: Double
    }

    private struct Slot {
        var id: UUID
        var place: GeoPoint
        var vector: UnitVector
        var at: Date
        var fineCell: GeoGrid.Cell
        var coarseCell: GeoGrid.Cell

        init(_ id: UUID, _ fix: Fix) {
            self.id = id
            place = fix.place
            vector = UnitVector(fix.place)
            at = fix.at
            fineCell = GeoGrid.fine.cell(of: fix.place)
            coarseCell = GeoGrid.coarse.cell(of: fix.place)
        }
    }

    private typealias Hit = (squaredChord: Double, slot: Int32)

    /// Circles of up to so many fine cells are looked up in the fine grid, wider ones in the coarse one.
    private static let fineReachMetres = 4 * GeoGrid.fine.cellMetres

    private var slots: [Slot] = []
    private var slotOfID: [UUID: Int32] = [:]
    private var fine = Cells()
    private var coarse = Cells()

    var count: Int { slots.count }

    /// Where somebody was last.
    func fix(of id: UUID) -> Fix? {
        slotOfID[id].map { Fix(place: slots[Int($0)].place, at: slots[Int($0)].at) }
    }

    /// Notes a place; one that is not newer than what is known is ignored.
    /// - Returns: whether it was newer.
    @discardableResult
    mutating func put(_ id: UUID, _ fix: Fix) -> Bool {
        let fresh = Slot(id, fix)
        guard let number = slotOfID[id] else {
            let number = Int32(slots.count)
            slots.append(fresh)
            slotOfID[id] = number
            fine.enter(fresh.fineCell, number)
            coarse.enter(fresh.coarseCell, number)
            return true
        }
        let known = slots[Int(number)]
        guard known.at < fix.at else { return false }
        slots[Int(number)] = fresh
        if known.fineCell != fresh.fineCell {
            fine.leave(known.fineCell, number)
            fine.enter(fresh.fineCell, number)
        }
        if known.coarseCell != fresh.coarseCell {
            coarse.leave(known.coarseCell, number)
            coarse.enter(fresh.coarseCell, number)
        }
        return true
    }

    /// Forgets everybody whose last place is older than this.
    mutating func removeAll(before limit: Date) {
        var number = slots.count - 1
        while number >= 0 {
            if slots[number].at < limit { remove(Int32(number)) }
            number -= 1
        }
    }

    /// The nearest within the distance, nearest first.
    /// - Parameter since: older places do not count.
    func nearest(_ count: Int, to center: GeoPoint, within metres: Double, since: Date) -> [Found] {
        guard count > 0, metres >= 0 else { return [] }
        let target = UnitVector(center)
        var reach = min(metres, GeoGrid.fine.cellMetres)
        var hits: [Hit] = []
        while true {
            // Where there would be more cells than places, all places are looked at.
            let (grid, cells) = reach <= Self.fineReachMetres ? (GeoGrid.fine, fine) : (GeoGrid.coarse, coarse)
            if let near = grid.cells(within: reach, of: center, limit: max(16, slots.count)) {
                hits = self.hits(near.lazy.flatMap { cells[$0] }, target, within: reach, since: since)
                if hits.count >= count || reach >= metres { break }
                reach = min(metres, reach * 2)
            } else {
                hits = self.hits(0..<Int32(slots.count), target, within: metres, since: since)
                break
            }
        }
        hits.sort { left, right in
            left.squaredChord != right.squaredChord
                ? left.squaredChord < right.squaredChord
                : slots[Int(left.slot)].id < slots[Int(right.slot)].id
        }
        return hits.prefix(count).map { hit in
            let slot = slots[Int(hit.slot)]
            return Found(
                id: slot.id, place: slot.place, at: slot.at,
                metres: UnitVector.metres(squaredChord: hit.squaredChord))
        }
    }

    private func hits(
        _ numbers: some Sequence<Int32>, _ target: UnitVector, within metres: Double, since: Date
    ) -> [Hit] {
        let limit = UnitVector.squaredChord(metres: metres)
        var hits: [Hit] = []
        for number in numbers {
            let chord = slots[Int(number)].vector.squaredChord(to: target)
            if chord <= limit, slots[Int(number)].at >= since { hits.append((chord, number)) }
        }
        return hits
    }

    /// The last slot takes the place of the one that goes.
    private mutating func remove(_ number: Int32) {
        let gone = slots[Int(number)]
        fine.leave(gone.fineCell, number)
        coarse.leave(gone.coarseCell, number)
        slotOfID[gone.id] = nil
        let last = Int32(slots.count - 1)
        if number != last {
            let moved = slots[Int(last)]
            fine.leave(moved.fineCell, last)
            coarse.leave(moved.coarseCell, last)
            slots[Int(number)] = moved
            slotOfID[moved.id] = number
            fine.enter(moved.fineCell, number)
            coarse.enter(moved.coarseCell, number)
        }
        slots.removeLast()
    }
}

extension PlaceIndex {
    /// Which slots are in which cell of a grid.
    private struct Cells: Sendable {
        private var slots: [GeoGrid.Cell: [Int32]] = [:]

        subscript(cell: GeoGrid.Cell) -> [Int32] { slots[cell] ?? [] }

        mutating func enter(_ cell: GeoGrid.Cell, _ slot: Int32) { slots[cell, default: []].append(slot) }

        mutating func leave(_ cell: GeoGrid.Cell, _ slot: Int32) {
            // Taken out while it is changed, so that it is not copied.
            guard var numbers = slots.removeValue(forKey: cell) else { return }
            if let at = numbers.firstIndex(of: slot) {
                numbers.swapAt(at, numbers.count - 1)
                numbers.removeLast()
            }
            if !numbers.isEmpty { slots[cell] = numbers }
        }
    }
}
