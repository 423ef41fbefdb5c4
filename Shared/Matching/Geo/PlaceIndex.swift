public import Foundation

/// The last positions of many people, with a search for the nearest few within microseconds.
///
/// A value without clock or IO. Its size is not limited: the owner removes old positions.
public struct PlaceIndex: Sendable {
    public struct Found: Hashable, Sendable {
        public let id: UUID
        public let place: GeoPoint
        public let at: Date
        /// The great-circle distance.
        public let metres: Double
    }

    private struct Slot {
        var id: UUID
        var place: GeoPoint
        var vector: UnitVector
        var at: Date
        var fineCell: GeoGrid.Cell
        var coarseCell: GeoGrid.Cell
        /// The index of this slot's entry in its fine cell.
        var fineEntry = 0

        init(_ id: UUID, _ fix: Fix) {
            self.id = id
            place = fix.place
            vector = UnitVector(fix.place)
            at = fix.at
            fineCell = GeoGrid.fine.cell(of: fix.place)
            coarseCell = GeoGrid.coarse.cell(of: fix.place)
        }
    }

    /// A position beside the others of its cell, so that a search reads adjacent memory.
    private struct Entry {
        var vector: UnitVector
        var at: Date
        var slot: Int32

        init(_ slot: Slot, _ number: Int32) {
            vector = slot.vector
            at = slot.at
            self.slot = number
        }
    }

    private typealias Hit = (squaredChord: Double, slot: Int32)

    /// Smaller circles are searched in the fine grid, wider ones in the coarse grid.
    private static let fineReachMetres = 4 * GeoGrid.fine.cellMetres

    private var slots: [Slot] = []
    private var slotOfID: [UUID: Int32] = [:]
    private var fine: [GeoGrid.Cell: [Entry]] = [:]
    private var coarse = Cells()

    public init() {}

    public var count: Int { slots.count }

    /// The last fix of a person.
    public func fix(of id: UUID) -> Fix? {
        slotOfID[id].map { Fix(place: slots[Int($0)].place, at: slots[Int($0)].at) }
    }

    /// Stores a fix; one that is not newer than the stored one is ignored.
    /// - Returns: whether it was newer.
    @discardableResult
    public mutating func put(_ id: UUID, _ fix: Fix) -> Bool {
        let fresh = Slot(id, fix)
        guard let number = slotOfID[id] else {
            let number = Int32(slots.count)
            slots.append(fresh)
            slotOfID[id] = number
            enterFine(number)
            coarse.enter(fresh.coarseCell, number)
            return true
        }
        let known = slots[Int(number)]
        guard known.at < fix.at else { return false }
        if known.fineCell == fresh.fineCell {
            slots[Int(number)] = fresh
            slots[Int(number)].fineEntry = known.fineEntry
            fine[fresh.fineCell]?[known.fineEntry] = Entry(fresh, number)
        } else {
            leaveFine(number)
            slots[Int(number)] = fresh
            enterFine(number)
        }
        if known.coarseCell != fresh.coarseCell {
            coarse.leave(known.coarseCell, number)
            coarse.enter(fresh.coarseCell, number)
        }
        return true
    }

    /// Removes everybody whose last fix is older than this.
    public mutating func removeAll(before limit: Date) {
        var number = slots.count - 1
        while number >= 0 {
            if slots[number].at < limit { remove(Int32(number)) }
            number -= 1
        }
    }

    /// The nearest people within the distance, nearest first.
    /// - Parameters:
    ///   - since: older fixes do not count.
    ///   - isWanted: filters people; called only for those near by.
    public func nearest(
        _ count: Int, to center: GeoPoint, within metres: Double, since: Date,
        where isWanted: (UUID) -> Bool = { _ in true }
    ) -> [Found] {
        guard count > 0, metres >= 0 else { return [] }
        let search = Search(target: UnitVector(center), since: since)
        var reach = min(metres, GeoGrid.fine.cellMetres)
        while true {
            let (hits, isAll) = self.hits(search, within: reach, of: center, atMost: metres)
            var found: [Found] = []
            for hit in hits where found.count < count {
                let slot = slots[Int(hit.slot)]
                guard isWanted(slot.id) else { continue }
                let metres = UnitVector.metres(squaredChord: hit.squaredChord)
                found.append(Found(id: slot.id, place: slot.place, at: slot.at, metres: metres))
            }
            if isAll || found.count == count || reach >= metres { return found }
            reach = min(metres, reach * 2)
        }
    }

    private struct Search {
        let target: UnitVector
        let since: Date
    }

    /// All people within the reach, nearest first; or all people at all, where that would be more cells than positions.
    private func hits(
        _ search: Search, within reach: Double, of center: GeoPoint, atMost metres: Double
    ) -> (hits: [Hit], isAll: Bool) {
        var hits: [Hit] = []
        var isAll = false
        let isFine = reach <= Self.fineReachMetres
        let grid = isFine ? GeoGrid.fine : GeoGrid.coarse
        if let cells = grid.cells(within: reach, of: center, limit: max(16, slots.count)) {
            let limit = UnitVector.squaredChord(metres: reach)
            for cell in cells {
                if isFine {
                    look(in: fine[cell], search, limit, &hits)
                } else {
                    look(at: coarse[cell], search, limit, &hits)
                }
            }
        } else {
            isAll = true
            look(at: slots.indices.map { Int32($0) }, search, UnitVector.squaredChord(metres: metres), &hits)
        }
        hits.sort { left, right in
            left.squaredChord != right.squaredChord
                ? left.squaredChord < right.squaredChord
                : slots[Int(left.slot)].id < slots[Int(right.slot)].id
        }
        return (hits, isAll)
    }

    private func look(in entries: [Entry]?, _ search: Search, _ limit: Double, _ hits: inout [Hit]) {
        guard let entries else { return }
        for entry in entries {
            let chord = entry.vector.squaredChord(to: search.target)
            if chord <= limit, entry.at >= search.since { hits.append((chord, entry.slot)) }
        }
    }

    private func look(at numbers: [Int32], _ search: Search, _ limit: Double, _ hits: inout [Hit]) {
        for number in numbers {
            let chord = slots[Int(number)].vector.squaredChord(to: search.target)
            if chord <= limit, slots[Int(number)].at >= search.since { hits.append((chord, number)) }
        }
    }

    private mutating func enterFine(_ number: Int32) {
        let slot = slots[Int(number)]
        slots[Int(number)].fineEntry = fine[slot.fineCell]?.count ?? 0
        fine[slot.fineCell, default: []].append(Entry(slot, number))
    }

    /// The last entry of the cell replaces the removed one.
    private mutating func leaveFine(_ number: Int32) {
        let (cell, gone) = (slots[Int(number)].fineCell, slots[Int(number)].fineEntry)
        guard let last = fine[cell]?.popLast() else { return }
        if last.slot != number {
            fine[cell]?[gone] = last
            slots[Int(last.slot)].fineEntry = gone
        }
        if fine[cell]?.isEmpty ?? false { fine[cell] = nil }
    }

    /// The last slot replaces the removed one.
    private mutating func remove(_ number: Int32) {
        leaveFine(number)
        coarse.leave(slots[Int(number)].coarseCell, number)
        slotOfID[slots[Int(number)].id] = nil
        let last = Int32(slots.count - 1)
        if number != last {
            leaveFine(last)
            coarse.leave(slots[Int(last)].coarseCell, last)
            slots[Int(number)] = slots[Int(last)]
            slotOfID[slots[Int(number)].id] = number
            enterFine(number)
            coarse.enter(slots[Int(number)].coarseCell, number)
        }
        slots.removeLast()
    }
}

extension PlaceIndex {
    /// The slots in each cell of the coarse grid.
    private struct Cells: Sendable {
        private var slots: [GeoGrid.Cell: [Int32]] = [:]

        subscript(cell: GeoGrid.Cell) -> [Int32] { slots[cell] ?? [] }

        mutating func enter(_ cell: GeoGrid.Cell, _ slot: Int32) { slots[cell, default: []].append(slot) }

        mutating func leave(_ cell: GeoGrid.Cell, _ slot: Int32) {
            // Removed from the dictionary while it changes, so that it is not copied.
            guard var numbers = slots.removeValue(forKey: cell) else { return }
            if let at = numbers.firstIndex(of: slot) {
                numbers.swapAt(at, numbers.count - 1)
                numbers.removeLast()
            }
            if !numbers.isEmpty { slots[cell] = numbers }
        }
    }
}
