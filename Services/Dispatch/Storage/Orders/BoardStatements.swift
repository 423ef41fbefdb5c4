import Foundation
import Postgres

/// Puts an order on the board.
struct PostOnBoard: Statement {
    static let sql: StaticString = """
        INSERT INTO board (order_id, market, customer, origin, price, metres, grams, is_fragile)
        VALUES ($1, $2, $3, ST_SetSRID(ST_MakePoint($5, $4), 4326)::geography, $6, $7, $8, $9)
        """
    let order: Order
    let parcel: Order.Parcel
    func bind(_ bindings: inout Bindings) {
        bindings.append(order.id)
        bindings.append(order.market)
        bindings.append(order.customer.account)
        bindings.append(order.place.latitude)
        bindings.append(order.place.longitude)
        bindings.append(order.total)
        // What strangers filter and sort by is as exact as what they are shown.
        bindings.append(order.roughWayMetres ?? parcel.metres)
        bindings.append(parcel.grams)
        bindings.append(parcel.isFragile)
    }
}

/// Takes it off again.
struct TakeOffBoard: Statement {
    static let sql: StaticString = "DELETE FROM board WHERE order_id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
