import Foundation
import Postgres

/// Puts an order on the board, with its places as strangers see them.
struct PostOnBoard: Statement {
    static let sql: SQL = """
        INSERT INTO board (order_id, market, customer, origin, price, metres, grams, is_fragile, destination, minimum_rating)
        VALUES ($1, $2, $3, ST_SetSRID(ST_MakePoint($5, $4), 4326)::geography, $6, $7, $8, $9,
            ST_SetSRID(ST_MakePoint($11, $10), 4326)::geography, $12)
        """
    let order: Order
    let parcel: Order.Parcel
    func bind(_ bindings: inout Bindings) {
        // Strangers filter and sort by what they are shown: rounded places, and the payment without the owner's fee.
        let (origin, destination) = (order.place.roundedForBoard, order.destination?.roundedForBoard)
        bindings.append(
            order.id, order.market, order.customer.account, origin.latitude, origin.longitude,
            order.lines.first?.price ?? order.total)
        bindings.append(order.roughWayMetres ?? parcel.metres, parcel.grams, parcel.isFragile)
        bindings.append(destination?.latitude, destination?.longitude, parcel.minimumRating?.tenths)
    }
}

/// Takes an order off the board.
struct TakeOffBoard: Statement {
    static let sql: SQL = "DELETE FROM board WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
