import Hummingbird

struct TrackingView: ResponseEncodable, Encodable, Sendable {
    /// The provider's position; missing before the first report.
    let position: PositionView?
    let metresLeft: Int?
    let secondsLeft: Int?
    /// The customer's place; for the provider only.
    let destination: PlaceView?

    init(_ answer: TrackOrder.Answer) {
        position = answer.last.map(PositionView.init)
        metresLeft = answer.left?.metres
        secondsLeft = answer.left?.seconds
        destination = answer.destination.map(PlaceView.init)
    }
}
