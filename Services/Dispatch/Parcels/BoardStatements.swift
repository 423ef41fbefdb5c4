import Foundation
import Postgres

/// Puts an order on the board.
struct PostOnBoard: Statement {
    static let sql: SQL = """
        INSERT INTO board (order_id, market, customer, origin, price, metres, grams, is_fragile)
        VALUES ($1, $2, $3, ST_SetSRID(ST_MakePoint($5, $4), 4326)::geography, $6, $7, $8, $9)
        """
    let order: Order
    let parcel: Order.Parcel
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            order.id, order.market, order.customer.account, order.place.latitude, order.place.longitude, order.total)
        // Strangers filter and sort by the same rounded distance that they are shown.
        bindings.append(order.roughWayMetres ?? parcel.metres, parcel.grams, parcel.isFragile)
    }
}

/// Takes an order off the board.
struct TakeOffBoard: Statement {
    static let sql: SQL = "DELETE FROM board WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
