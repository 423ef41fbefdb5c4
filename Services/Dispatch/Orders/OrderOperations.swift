import Foundation
import LiveMarkets
import Logging

/// All operations on orders. Each runs in its caller's transaction.
struct OrderOperations: Sendable {
    // By people
    /// For a party's trigger that needs nothing but the order.
    let change: ChangeOrder
    let request: RequestOrder
    let postParcel: PostParcel
    let requestRide: RequestRide
    let requestMeal: RequestMeal
    let take: TakeOrder
    let start: StartOrder
    let accept: AcceptOrder
    let cancel: CancelOrder
    let arrive: ArriveAtOrder
    let confirm: ConfirmOrder
    let endEarly: EndRideEarly
    let meet: RecordMeeting
    let missCustomer: ReportNoShow
    let report: ReportOrder
    let rate: RateOrder
    let orderCare: OrderCare
    let orderHire: OrderHire
    let orderDropOff: OrderDropOff
    let askForTime: AskForTime
    // By admins
    let manage: ManageOrder
    let decide: DecideOrder
    // By deadlines, the wallet and the provider's position
    let endWindow: EndOrderWindow
    let endBanned: ApplyBanToOrder
    let recordPayment: RecordPayment
    let recordRefund: RecordRefund
    let recordTip: RecordTip
    let recordDeposit: RecordDeposit
    let comeNear: MarkOrderNearby
    // By rounds
    let offer: OfferOrders

    /// - Parameter freshness: maximum age in seconds of a provider's position when the provider is asked, takes an order
    ///   or claims to be at a place.
    init(markets: LiveMarkets, freshness: TimeInterval = 120, logger: Logger? = nil) {
        let change = ChangeOrder(markets: markets, logger: logger)
        let presence = Presence(freshness: freshness)
        self.change = change
        request = RequestOrder(markets: markets, freshness: freshness)
        postParcel = PostParcel(open: OpenOrder(markets: markets))
        requestRide = RequestRide(open: OpenOrder(markets: markets))
        requestMeal = RequestMeal(open: OpenOrder(markets: markets))
        offer = OfferOrders(change: change)
        orderCare = OrderCare(open: OpenOrder(markets: markets))
        orderHire = OrderHire(open: OpenOrder(markets: markets))
        orderDropOff = OrderDropOff(open: OpenOrder(markets: markets))
        askForTime = AskForTime(change: change)
        manage = ManageOrder(change: change)
        take = TakeOrder(change: change, freshness: freshness)
        start = StartOrder(change: change, presence: presence)
        accept = AcceptOrder(change: change)
        cancel = CancelOrder(change: change)
        arrive = ArriveAtOrder(change: change, presence: presence)
        confirm = ConfirmOrder(change: change, presence: presence)
        endEarly = EndRideEarly(change: change)
        meet = RecordMeeting(change: change)
        missCustomer = ReportNoShow(change: change, presence: presence)
        report = ReportOrder(change: change)
        rate = RateOrder()
        decide = DecideOrder(change: change)
        endWindow = EndOrderWindow(change: change)
        endBanned = ApplyBanToOrder(change: change)
        recordPayment = RecordPayment(change: change)
        recordRefund = RecordRefund(markets: markets)
        recordTip = RecordTip(markets: markets)
        recordDeposit = RecordDeposit(change: change)
        comeNear = MarkOrderNearby(change: change)
    }
}
