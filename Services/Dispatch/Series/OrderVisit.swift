import Contracts
import Foundation
import LiveMarkets
import Postgres
import ServiceKit

/// Orders the visits of series as home care visits, paid by the customer's consent.
struct OrderVisit: Sendable {
    let orderCare: OrderCare

    /// Checks that such visits could be ordered: services, time, relative and partner.
    ///
    /// - Throws: ``OrderCare/Refusal``, ``OpenOrder/Refusal``
    func check(
        _ series: Series, at startsAt: Date, now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard let input = input(series, at: startsAt) else { throw OpenOrder.Refusal.notInMarket }
        _ = try await orderCare.prepared(input, at: now, in: transaction)
    }

    /// Orders a visit; see ``RequestVisit``. A temporary obstacle leads to another try later.
    func request(
        _ series: Series, _ visit: SeriesVisit, now: Date, in transaction: PostgresTransaction
    ) async throws -> VisitRequestOutcome {
        guard var input = input(series, at: visit.startsAt) else { return .refused(reason: "not-in-market") }
        do {
            do {
                return .requested(order: try await orderCare(input, at: now, in: transaction).order.id)
            } catch OrderCare.Refusal.unknownPartner {
                // The partner was only a preference. He or she no longer works here, so an admin sends another.
                input.preferred = nil
                return .requested(order: try await orderCare(input, at: now, in: transaction).order.id)
            }
        } catch let refusal as OrderCare.Refusal {
            switch refusal {
            case .unknownServices: return .refused(reason: "unknown-service")
            case .time: return .refused(reason: "outside-opening-hours")
            case .notLinked: return .refused(reason: "not-linked")
            case .unknownPartner: return .refused(reason: "unknown-provider")
            case .priceRose(let total, let currency): return .priceRose(to: total, currency: currency)
            // Not thrown here: only orders by admins are checked for it.
            case .notCustomer: return .refused(reason: "not-a-customer")
            }
        } catch let refusal as OpenOrder.Refusal {
            switch refusal {
            case .notInMarket: return .refused(reason: "not-in-market")
            case .outsideArea: return .refused(reason: "outside-service-area")
            case .recipientLeaving: return .refused(reason: "relative-left")
            }
        } catch let refusal as CustomerRefusal {
            switch refusal {
            case .banned: return .refused(reason: Workflow.customerBanned)
            case .blocked: return .refused(reason: Problem.accountBlocked.slug)
            case .methodMissing: return .refused(reason: "payment-method-required")
            // `tooManyOpen` is not thrown here: only single orders are limited.
            case .leaving, .unknown, .tooManyOpen: return .later
            }
        }
    }

    private func input(_ series: Series, at startsAt: Date) -> OrderCare.Input? {
        guard let market = orderCare.open.markets.named(series.market) else { return nil }
        return OrderCare.Input(
            market: market, customer: series.customer, services: series.wish.services, place: series.wish.place,
            scheduledAt: startsAt, preferred: series.wish.preferred, relative: series.wish.recipient, admin: nil,
            series: series.id, consentCurrency: series.currency ?? market.defaults.currency,
            consent: series.consent.map { consent in
                Order.HomeCare.Consent(
                    method: consent.method.rawValue, card: consent.card, agreedAt: consent.agreedAt,
                    upTo: series.agreedTotal, isByDesk: consent.isByDesk)
            }
                ?? series.agreedTotal.map { total in
                    // A series that is older than the choice of payment: its customer has released a card for such
                    // orders.
                    Order.HomeCare.Consent(method: "card", card: nil, agreedAt: series.createdAt, upTo: total)
                })
    }
}
