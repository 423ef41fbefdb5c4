import Contracts
import Foundation
import Postgres
import SeraiJSON

/// Stores whether an account has a stored card that can be charged, and its cards; an older version has no effect. The
/// same version has one when it brings the cards, which an older wallet had not told.
struct StoreMethod: Statement {
    static let sql: SQL = """
        INSERT INTO payment_methods AS known (account, has_method, version, cards) VALUES ($1, $2, $3, $4)
        ON CONFLICT (account) DO UPDATE
        SET has_method = excluded.has_method, version = excluded.version, cards = excluded.cards
        WHERE known.version < excluded.version OR known.version = excluded.version AND known.cards IS NULL
        """
    let account: UUID
    let hasMethod: Bool
    let version: Int
    let cards: [MethodChanged.Card]?
    func bind(_ bindings: inout Bindings) {
        bindings.append(account, hasMethod, version, cards.map { PostgresJSON(Array(StoredCards.encode($0).utf8)) })
    }
}

/// An account's cards as they are stored.
struct StoredCards: PostgresDecodable {
    let cards: [KnownCards.Card]

    static func encode(_ cards: [MethodChanged.Card]) -> String {
        // try?: plain values always encode.
        (try? JSON.stored.text(cards)) ?? "[]"
    }

    static func decode(_ cell: PostgresCell) -> StoredCards? {
        guard let text = String.decode(cell) else { return nil }
        // try?: nil is the error of decoding.
        return (try? JSON.stored.decode([KnownCards.Card].self, text.utf8)).map(StoredCards.init)
    }
}

/// Finds the known cards of an account; no row if nothing is known.
struct FindKnownCards: Statement {
    static let sql: SQL = "SELECT has_method, cards::text FROM payment_methods WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> KnownCards {
        KnownCards(hasMethod: try row.next(), cards: try row.next(StoredCards?.self)?.cards)
    }
}

/// Finds out whether an account has a stored card, as far as is known. Always returns one row.
struct FindMethod: Statement {
    static let sql: SQL = "SELECT EXISTS (SELECT FROM payment_methods WHERE account = $1 AND has_method)"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct DeleteMethod: Statement {
    static let sql: SQL = "DELETE FROM payment_methods WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
