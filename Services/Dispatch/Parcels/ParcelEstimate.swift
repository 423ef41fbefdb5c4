import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Postgres
import SeraiJSON
import ServiceKit

/// Estimates what a parcel costs, from similar parcels that were delivered lately (X4).
struct EstimateParcel: Sendable {
    /// Days back from now.
    static let days = 90.0
    /// With fewer parcels, or of fewer owners, nothing is told of them.
    static let (minimumParcels, minimumOwners) = (5, 3)

    /// Where the estimate comes from.
    enum Basis: String, Sendable, Encodable {
        /// Parcels with a like way, weight and fragility.
        case similar
        /// Parcels with a like way.
        case way
        /// The market's rates, since there are too few parcels.
        case rates
    }

    struct Question: Sendable {
        let market: String
        let metres: Int
        let grams: Int
        let isFragile: Bool
    }

    struct Estimate: Sendable, Equatable {
        let basis: Basis
        /// Number of parcels; zero for the market's rates.
        let parcels: Int
        /// Minor units: a quarter of the parcels cost less than the first, half less than the second, three quarters less
        /// than the third.
        let quartiles: [Int]
    }

    let pool: PostgresPool

    func callAsFunction(_ question: Question, _ settings: MarketSettings, at now: Date) async throws -> Estimate {
        let since = now.addingTimeInterval(-Self.days * 86_400)
        for basis in [Basis.similar, .way] {
            let found = try await pool.first(
                FindSimilarParcels(
                    question: question, currency: settings.currency, isAlike: basis == .similar, since: since))
            guard let found, found.parcels >= Self.minimumParcels, found.owners >= Self.minimumOwners else { continue }
            return Estimate(basis: basis, parcels: found.parcels, quartiles: found.quartiles)
        }
        let price = settings.parcelRates.price(metres: question.metres, grams: question.grams)
        return Estimate(basis: .rates, parcels: 0, quartiles: [price, price, price])
    }
}

extension MarketSettings.ParcelRates {
    /// Base, way and weight, in minor units; begun kilometres and kilograms count by their part.
    func price(metres: Int, grams: Int) -> Int {
        base + (metres * perKilometre + 500) / 1_000 + (grams * perKilogram + 500) / 1_000
    }
}

/// The quartiles of the payments for similar parcels that were delivered since a moment. Favours, which cost nothing, are
/// left out. The way may differ by 30 %, or by 60 % where weight and fragility do not count.
struct FindSimilarParcels: Statement {
    struct Row: Sendable {
        let parcels: Int
        let owners: Int
        let quartiles: [Int]
    }

    static let sql: SQL = """
        WITH alike AS (
            SELECT customer, (services #>> '{0,price}')::bigint AS price
            FROM orders
            WHERE kind = 'parcel' AND state = 'completed' AND market = $1 AND changed_at >= $7 AND currency = $6
                AND (particulars #>> '{parcel,metres}')::bigint BETWEEN $2 AND $3
                AND (NOT $8 OR (particulars #>> '{parcel,grams}')::bigint BETWEEN $4 AND $5
                    AND (particulars #>> '{parcel,isFragile}')::boolean = $9)
                AND (services #>> '{0,price}')::bigint > 0
            ORDER BY changed_at DESC LIMIT 1000
        )
        SELECT count(*), count(DISTINCT customer),
            percentile_disc(0.25) WITHIN GROUP (ORDER BY price), percentile_disc(0.5) WITHIN GROUP (ORDER BY price),
            percentile_disc(0.75) WITHIN GROUP (ORDER BY price)
        FROM alike
        """
    let question: EstimateParcel.Question
    let currency: String
    /// Whether weight and fragility count.
    let isAlike: Bool
    let since: Date

    func bind(_ bindings: inout Bindings) {
        let (metres, grams) = (question.metres, Self.weights.first { $0.contains(question.grams) } ?? 0...Int.max)
        let slack = isAlike ? 3 : 6
        bindings.append(
            question.market, metres * (10 - slack) / 10, metres * (10 + slack) / 10, grams.lowerBound, grams.upperBound,
            currency, since, isAlike, question.isFragile)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (parcels, owners): (Int, Int) = (try row.next(), try row.next())
        let quartiles: [Int?] = [try row.next(), try row.next(), try row.next()]
        return Row(parcels: parcels, owners: owners, quartiles: quartiles.compactMap { $0 })
    }

    /// Classes of weight: a letter, a bag, a box, the load of a car.
    private static let weights = [1...1_000, 1_001...5_000, 5_001...20_000, 20_001...Int.max]
}

/// An estimate. Prices are rounded to whole units of the currency, so that no single price is read from them.
struct ParcelEstimateView: ResponseEncodable, Encodable, Sendable {
    let basis: EstimateParcel.Basis
    /// Number of parcels behind it.
    let parcels: Int
    /// Three quarters of the parcels cost more; half; a quarter.
    let low: Money
    let middle: Money
    let high: Money

    init(_ estimate: EstimateParcel.Estimate, _ settings: MarketSettings) {
        (basis, parcels) = (estimate.basis, estimate.parcels)
        let unit = (0..<(Currency.named(settings.currency)?.minorDigits ?? 0)).reduce(1) { unit, _ in unit * 10 }
        let prices = estimate.quartiles.map { price in
            Money(amount: (price + unit / 2) / unit * unit, currency: settings.currency)
        }
        (low, middle, high) = (prices[0], prices[1], prices[2])
    }
}
