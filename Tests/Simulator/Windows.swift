import Contracts

/// The market's settings while a simulation runs: the data's area, and windows that some orders can outlast.
struct Windows {
    var acceptSeconds = 8
    var paymentSeconds = 10
    var completionSeconds = 8
    var confirmationSeconds = 8
    var arrivalSeconds = 30

    /// From the request to the end of the slowest order, with room for a slow machine.
    var longestOrder: Duration {
        .seconds(acceptSeconds + paymentSeconds + arrivalSeconds + completionSeconds + confirmationSeconds + 30)
    }

    func settings(area: BoundingBox) -> [MarketSettings.Key: String] {
        [
            .serviceArea: area.area,
            .searchRadiusMetres: "300000",
            .openingHours: "always",
            .paymentMethods: "card,wallet,cash",
            .acceptWindowSeconds: String(acceptSeconds),
            .paymentWindowSeconds: String(paymentSeconds),
            .completionWindowSeconds: String(completionSeconds),
            .confirmationWindowSeconds: String(confirmationSeconds),
            .arrivalWindowSeconds: String(arrivalSeconds),
        ]
    }
}
