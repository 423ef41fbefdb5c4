import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiDispatch

@Suite("X2: parcels that recur", .timeLimit(.minutes(5)))
struct ParcelSeriesTests {
    private static let day = 86_400.0
    /// Noon in Gothenburg.
    private static let noon = Date(timeIntervalSince1970: 1_800_097_200)

    private struct Scene: Sendable {
        let world: OrderWorld
        let parcels: OrderSeriesParcel
        let advance: AdvanceSeries
        let begin: BeginSeries
        let owner: UUID

        init(_ world: OrderWorld) async throws {
            self.world = world
            let parcels = OrderSeriesParcel(post: world.operations.postParcel)
            self.parcels = parcels
            let markets = world.markets
            advance = AdvanceSeries(
                request: { series, _, now, transaction in
                    try await parcels.request(series, now: now, in: transaction)
                }, clock: { markets.clock(of: $0) })
            begin = BeginSeries(
                advance: advance, check: { series, _, _, _ in try parcels.check(series) },
                currency: { markets.settings(of: $0)?.currency }, price: { markets.price(of: $0) })
            owner = try await world.addCustomer("Olof")
            try await world.pool.execute(StoreCustomerRoles(account: owner, markets: ["carrepsa"]))
        }

        func begin(
            _ rule: String, stars: Int? = nil, north: Double = 0, total: Int? = nil, photo: UUID? = nil
        ) async throws -> Series {
            let input = PostParcel.Input(
                market: .carrepsa, owner: owner, name: "Bread", description: nil,
                origin: Order.Place(latitude: 57.7, longitude: 11.97, description: nil),
                destination: Order.Place(latitude: 57.71 + north, longitude: 11.97, description: "Blue door"),
                payment: 2_000, deposit: 500, grams: 900, isFragile: false, photo: photo, minimumRating: stars)
            let begun = BeginSeries.Input(
                market: .carrepsa, customer: owner, wish: Series.Wish(input), rule: try RecurrenceRule(rule),
                firstDay: try #require(LocalDay("2027-01-16")), minute: 600, exceptions: [], method: .wallet,
                total: total)
            return try await world.pool.withTransaction { transaction in
                try await begin(begun, at: ParcelSeriesTests.noon, in: transaction)
            }
        }

        func run(_ series: Series, at now: Date) async throws {
            try await world.pool.withTransaction { transaction in
                try await advance(series.id, at: now, in: transaction)
            }
        }

        func told(_ series: Series) async throws -> [SeriesPriceRose] { try await events(series, SeriesPriceRose.self) }

        func dropped(_ series: Series) async throws -> [SeriesVisitDropped] {
            try await events(series, SeriesVisitDropped.self)
        }

        private func events<M: Message>(_ series: Series, _ type: M.Type) async throws -> [M] {
            try await world.pool.query(ReadEvents(order: series.id.text)).filter { $0.name == M.name.text }
                .map { try JSON.wire.decode(M.self, $0.payload.utf8) }
        }

        func orders() async throws -> [Order] {
            try await world.pool.query(
                ListCustomerOrders(page: OrderListPage(account: owner, .running, after: nil, limit: 100))
            ).map { try $0.details().order }.reversed()
        }
    }

    @Test(
        "X2: each parcel is posted at its time, and not before, they stack, and each is skipped or cancelled by itself")
    func stacking() async throws {
        try await OrderWorld.with { world in
            let scene = try await Scene(world)
            let series = try await scene.begin("FREQ=DAILY;INTERVAL=2;COUNT=4")
            // The first day's ten o'clock was two hours ago: it is on the board from its time on.
            #expect(try await scene.orders().count == 1)
            try await scene.run(series, at: Self.noon + Self.day)
            #expect(try await scene.orders().count == 1)
            try await scene.run(series, at: Self.noon + 2 * Self.day)
            let two = try await scene.orders()
            #expect(two.count == 2 && two.allSatisfy { $0.kind == "parcel" && $0.state == .pending })
            #expect(two.allSatisfy { $0.total == 2_000 && $0.deposit?.amount == 500 && $0.parcel?.name == "Bread" })
            #expect(two.allSatisfy { $0.destination?.description == "Blue door" })
            let change = ChangeSeries(check: { _, _, _, _ in }, clock: { world.markets.clock(of: $0) })
            try await world.pool.withTransaction { transaction in
                _ = try await change.skip(
                    try #require(LocalDay("2027-01-20")), of: series.id, by: scene.owner, at: Self.noon + 2 * Self.day,
                    in: transaction)
            }
            try await scene.run(series, at: Self.noon + 4 * Self.day)
            #expect(try await scene.orders().count == 2)
            // A process that was down for half a day posts it all the same; after a whole day it is missed.
            try await scene.run(series, at: Self.noon + 6 * Self.day + Self.day / 2)
            #expect(try await scene.orders().count == 3)
        }
    }

    @Test("X2, W4: the wallet is told of the owner's agreement, with the price as its limit, and has two days for it")
    func consent() async throws {
        try await OrderWorld.with { world in
            let scene = try await Scene(world)
            let fee = Market.carrepsa.defaults.parcelRates.minimumRatingFee
            let series = try await scene.begin("FREQ=WEEKLY", stars: 40, total: 2_000 + fee)
            #expect(series.agreedTotal == 2_000 + fee)
            let order = try #require(try await scene.orders().first)
            let snapshot = OrderSnapshot(order)
            #expect(snapshot.consent?.method == .wallet && snapshot.consent?.upTo == 2_000 + fee)
            #expect(snapshot.isUnattended && snapshot.paysByConsent == nil)
            #expect(order.deadline == Self.noon + 172_800)
            #expect(order.particulars?.series == series.id)
        }
    }

    @Test(
        "X2, O7: a parcel whose price rose is asked about once; a yes within the day posts it, else it is dropped"
    )
    func risen() async throws {
        try await OrderWorld.with { world in
            let scene = try await Scene(world)
            let fee = Market.carrepsa.defaults.parcelRates.minimumRatingFee
            let series = try await scene.begin("FREQ=WEEKLY", stars: 40, total: 2_000 + fee)
            // Nothing is charged at a fee that has risen before its owner says yes.
            try await world.pool.execute(
                SetSetting(market: "carrepsa", key: "parcelRates", value: "9000,2000,400,200"))
            try await world.markets.refresh()
            let risen = try #require(world.markets.price(of: series))
            #expect(risen.amount > 2_000 + fee)
            let second = Self.noon + 7 * Self.day
            for _ in 0..<2 { try await scene.run(series, at: second) }
            #expect(try await scene.orders().count == 1)
            let told = try await scene.told(series)
            #expect(told.count == 1 && told.first?.asked == risen && told.first?.agreed.amount == 2_000 + fee)
            let due = try #require(told.first?.startsAt)
            #expect(told.first?.until == due + Self.day && told.first?.isLast == true)
            let change = ChangeSeries(
                check: { _, _, _, _ in }, clock: { world.markets.clock(of: $0) },
                price: { world.markets.price(of: $0) })
            // Without a yes within the day it is dropped for that reason; the next one is asked about by itself.
            try await scene.run(series, at: due + Self.day)
            #expect(try await scene.dropped(series).map(\.reason) == ["price-not-agreed"])
            try await scene.run(series, at: due + 7 * Self.day)
            #expect(try await scene.told(series).count == 2)
            let now = due + 7 * Self.day + 3_600
            try await world.pool.withTransaction { transaction in
                _ = try await change.agree(
                    to: risen.amount, currency: risen.currency, of: series.id, by: scene.owner, at: now,
                    in: transaction)
            }
            try await scene.run(series, at: now)
            let orders = try await scene.orders()
            #expect(orders.count == 2 && orders.contains { $0.total == risen.amount })
        }
    }

    @Test("X2, Q9: each parcel has the series' photo, which must be the owner's and stays while the series does")
    func photo() async throws {
        try await OrderWorld.with { world in
            let scene = try await Scene(world)
            let photo = UploadPhoto.Prepared(id: .timeOrdered(), mediaType: "image/png", bytes: [1])
            await #expect(throws: PhotoRefusal.notOwn(field: "parcel/photo")) {
                _ = try await scene.begin("FREQ=WEEKLY", photo: photo.id)
            }
            try await world.pool.execute(InsertPhoto(photo: photo, owner: scene.owner, now: Self.noon))
            let series = try await scene.begin("FREQ=WEEKLY", photo: photo.id)
            #expect(series.wish.parcel?.photo == photo.id)
            let order = try #require(try await scene.orders().first)
            #expect(order.parcel?.photo == photo.id)
            try await world.pool.withTransaction { transaction in
                _ = try await ChangePhoto()(nil, of: order.id, by: scene.owner, at: Self.noon, in: transaction)
            }
            let later = Self.noon + 10 * Self.day
            try await world.pool.execute(DeleteUnusedPhotos(before: later, limit: 10))
            #expect(try await world.pool.first(CountPhotos()) == 1)
            try await world.pool.execute(DeleteSeriesOfCustomer(customer: scene.owner))
            try await world.pool.execute(DeleteUnusedPhotos(before: later, limit: 10))
            #expect(try await world.pool.first(CountPhotos()) == 0)
        }
    }

    @Test("X2: a series outside the service area is refused, as one parcel would be")
    func area() async throws {
        try await OrderWorld.with { world in
            let scene = try await Scene(world)
            await #expect(throws: OpenOrder.Refusal.outsideArea(field: "destination")) {
                _ = try await scene.begin("FREQ=WEEKLY", north: 5)
            }
        }
    }

    @Test("X2, P10: a request of a market with parcels names its parcel, and every wrong field of it")
    func form() throws {
        func read(_ parcel: String) throws -> BeginSeries.Input {
            let json = """
                {"market": "carrepsa", "rule": "FREQ=MONTHLY;BYMONTHDAY=1", "firstDay": "2027-01-16", "time": "10:00",
                 "payment": "wallet"\(parcel)}
                """
            return try BeginSeries.Input(Form(JSONValue(parsing: json.utf8)), caller: UUID(), markets: Market.named)
        }
        let wish = try read(
            """
            , "parcel": {"name": "Bread", "origin": {"latitude": 57.7, "longitude": 11.97},
             "destination": {"latitude": 57.71, "longitude": 11.97}, "payment": 0, "grams": 900, "fragile": false}
            """
        ).wish
        #expect(wish.parcel?.name == "Bread" && wish.services.isEmpty && wish.place.latitude == 57.7)
        let missing = #expect(throws: Problem.self) { try read("") }
        #expect(missing?.fields.map(\.pointer.description) == ["/parcel"])
        let wrong = #expect(throws: Problem.self) { try read(#", "parcel": {"name": "Bread"}"#) }
        #expect(wrong?.fields.contains { $0.pointer.description == "/parcel/grams" } == true)
    }
}
