import Foundation

/// Cells on the sphere, about as wide as high: bands of latitude, each divided into as many columns as its
/// circumference has room for. A band at a pole has few cells; columns continue across the antimeridian.
struct GeoGrid: Sendable {
    typealias Cell = UInt64

    /// Cells of about one kilometre.
    static let fine = GeoGrid(cellDegrees: 0.01)
    /// Cells of about eleven kilometres.
    static let coarse = GeoGrid(cellDegrees: 0.1)

    /// The height of a cell.
    let cellMetres: Double
    private let cellDegrees: Double
    /// The number of columns of each band, from the south.
    private let columns: [Int]

    private init(cellDegrees: Double) {
        self.cellDegrees = cellDegrees
        cellMetres = cellDegrees * .pi / 180 * UnitVector.earthRadiusMetres
        let bands = Int((180 / cellDegrees).rounded())
        columns = (0..<bands).map { band in
            let south = Double(band) * cellDegrees - 90
            let widest = max(cos(south * .pi / 180), cos((south + cellDegrees) * .pi / 180))
            return max(1, Int((360 * widest / cellDegrees).rounded(.up)))
        }
    }

    func cell(of point: GeoPoint) -> Cell {
        let band = band(of: point.latitude)
        return Self.cell(band, wrapped(unwrappedColumn(point.longitude, in: columns[band]), columns[band]))
    }

    /// The cells that contain everything within the distance, and some around.
    ///
    /// - Parameter limit: nil is returned when there would be more cells than this.
    func cells(within metres: Double, of center: GeoPoint, limit: Int) -> [Cell]? {
        // The margin is for rounding.
        let reach = max(0, metres) / UnitVector.earthRadiusMetres * 180 / .pi + 1e-7
        let bands = band(of: center.latitude - reach)...band(of: center.latitude + reach)
        guard bands.count <= limit else { return nil }
        let halfWidth = Self.halfWidth(reach: reach, latitude: center.latitude)
        var cells: [Cell] = []
        for band in bands {
            let count = columns[band]
            var span = 0...(count - 1)
            if let halfWidth {
                let west = unwrappedColumn(center.longitude - halfWidth, in: count)
                let east = unwrappedColumn(center.longitude + halfWidth, in: count)
                if east - west + 1 < count { span = west...east }
            }
            guard cells.count + span.count <= limit else { return nil }
            for column in span { cells.append(Self.cell(band, wrapped(column, count))) }
        }
        return cells
    }

    /// The extent of a circle to the west and to the east, in degrees; nil when the circle contains a pole.
    private static func halfWidth(reach: Double, latitude: Double) -> Double? {
        guard abs(latitude) + reach < 90 else { return nil }
        let sine = sin(reach * .pi / 180) / cos(latitude * .pi / 180)
        return sine < 1 ? asin(sine) * 180 / .pi + 1e-7 : nil
    }

    private func band(of latitude: Double) -> Int {
        min(max(0, Int(((latitude + 90) / cellDegrees).rounded(.down))), columns.count - 1)
    }

    /// The result may be outside the band's columns when the longitude is beyond the antimeridian.
    private func unwrappedColumn(_ longitude: Double, in count: Int) -> Int {
        Int(((longitude + 180) / 360 * Double(count)).rounded(.down))
    }

    private func wrapped(_ column: Int, _ count: Int) -> Int {
        let rest = column % count
        return rest < 0 ? rest + count : rest
    }

    private static func cell(_ band: Int, _ column: Int) -> Cell { UInt64(band) << 32 | UInt64(column) }
}
