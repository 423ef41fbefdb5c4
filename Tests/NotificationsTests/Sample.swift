import Contracts
import Foundation
import Messaging

/// An order and its parties, as the others' events tell of them.
struct Sample: Sendable {
    let order = UUID.timeOrdered()
    let payment = UUID.timeOrdered()
    let customer: UUID
    let provider: UUID
    let customerName: String
    let providerName: String
    let start: Date

    init(
        customer: UUID = .timeOrdered(), provider: UUID = .timeOrdered(), customerName: String = "Salem",
        providerName: String = "نورة", start: Date = Date(timeIntervalSince1970: 1_790_000_000)
    ) {
        self.start = start
        self.customer = customer
        self.provider = provider
        self.customerName = customerName
        self.providerName = providerName
    }

    /// - Parameters:
    ///   - version: one minute later for each.
    ///   - change: adjusts it.
    func snapshot(
        _ state: OrderSnapshot.State, version: Int, by: OrderSnapshot.Actor,
        _ change: (inout OrderSnapshot) -> Void = { _ in }
    ) -> OrderSnapshot {
        let at = start.addingTimeInterval(Double(version) * 60)
        var snapshot = OrderSnapshot(
            order: order, market: "assef", kind: "visit", version: version, state: state,
            customer: .init(account: customer, name: customerName),
            provider: .init(account: provider, name: providerName),
            services: [
                .init(service: "wound-care", name: ["en": "Wound care", "ar": "العناية بالجروح"], price: 12_000),
                .init(service: "injection", name: ["en": "Injection", "ar": "الحقن"], price: 3_050),
            ],
            total: Money(amount: 15_050, currency: "SAR"), payment: .init(method: nil, state: .unpaid), confirmedBy: [],
            deadline: nil, by: by, reason: nil, requestedAt: start, changedAt: at)
        change(&snapshot)
        return snapshot
    }

    func requested(version: Int = 1) -> OrderRequested {
        OrderRequested(
            order: snapshot(.requested, version: version, by: .customer) {
                $0.deadline = $0.changedAt.addingTimeInterval(120)
            })
    }

    func accepted(version: Int = 2) -> OrderAccepted {
        OrderAccepted(
            order: snapshot(.accepted, version: version, by: .provider) {
                $0.deadline = $0.changedAt.addingTimeInterval(600)
            }, companion: "Huda Salem")
    }

    func enRoute(version: Int = 3, method: String = "card") -> OrderEnRoute {
        OrderEnRoute(
            order: snapshot(.enRoute, version: version, by: .system) {
                $0.payment = .init(method: method, state: method == "cash" ? .unpaid : .held)
            })
    }

    /// An event that makes no item, for streams in a hurry.
    func changed(version: Int, note: String? = nil) -> OrderPaymentChanged {
        OrderPaymentChanged(order: snapshot(.enRoute, version: version, by: .system) { $0.reason = note })
    }

    var fine: Money { Money(amount: 617, currency: "SAR") }

    /// An order that an admin's decision about a report ended.
    func decided(
        _ decision: ReportDecided.Decision, _ state: OrderSnapshot.State, _ toCustomer: Int, by method: String = "card",
        isLost: Bool = false
    ) -> OrderSnapshot {
        snapshot(state, version: 7, by: .admin) {
            $0.payment = .init(method: method, state: isLost ? .released : method == "cash" ? .unpaid : .held)
            $0.reason = "not-done"
            $0.outcome = .init(
                decision: decision, toCustomer: Money(amount: toCustomer, currency: "SAR"), reason: "Half of it came")
        }
    }

    func paymentSnapshot(
        _ state: PaymentSnapshot.State, version: Int, method: PaymentSnapshot.Method? = .card
    ) -> PaymentSnapshot {
        PaymentSnapshot(
            payment: payment, order: order, market: "assef", version: version, state: state, method: method,
            customer: customer, provider: provider, amount: Money(amount: 15_050, currency: "SAR"))
    }

    func registered(_ account: UUID, language: String, version: Int = 1) -> AccountRegistered {
        AccountRegistered(account: person(account, language: language, version: version), at: start)
    }

    func person(_ account: UUID, language: String, version: Int) -> AccountSnapshot {
        AccountSnapshot(
            account: account, version: version, name: "Somebody", gender: nil, language: language, roles: [])
    }
}
