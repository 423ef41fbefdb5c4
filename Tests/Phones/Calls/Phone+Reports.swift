public import Contracts
public import Foundation

/// What cancelling costs.
public struct CancellationView: Decodable, Sendable {
    public let isFree: Bool
    public let fine: Money
    public let metres: Int
    public let validUntil: Date
    public let quote: String
}

/// A report of an order, as a party or an admin sees it.
public struct ReportView: Decodable, Sendable {
    public let report: UUID
    public let order: UUID
    public let by: OrderSnapshot.Actor
    public let reason: String
    public let awaitsDecision: Bool
    public let answer: String?
    /// To admins.
    public let state: String?
}

extension Phone {
    public func cancellation(of order: UUID) async throws -> CancellationView {
        try await send(.get("/dispatch/v1/orders/\(order.path)/cancellation")).decode()
    }

    /// Cancels for what was shown.
    @discardableResult
    public func cancel(
        _ order: UUID, for shown: CancellationView, key: String = UUID().uuidString.lowercased()
    ) async throws -> OrderView {
        struct Form: Encodable {
            let acceptedFine: Money
            let quote: String
        }
        let form = Form(acceptedFine: shown.fine, quote: shown.quote)
        return try await send(try .post("/dispatch/v1/orders/\(order.path)/cancel", form, key: key)).decode()
    }

    @discardableResult
    public func report(
        _ order: UUID, _ reason: String, note: String? = nil, cancels: Bool,
        key: String = UUID().uuidString.lowercased()
    ) async throws -> ReportView {
        struct Form: Encodable {
            let reason: String
            let note: String?
            let cancels: Bool
        }
        let form = Form(reason: reason, note: note, cancels: cancels)
        return try await send(try .post("/dispatch/v1/orders/\(order.path)/reports", form, key: key)).decode()
    }

    public func reports(of order: UUID) async throws -> [ReportView] {
        try await send(.get("/dispatch/v1/orders/\(order.path)/reports")).decode(Items<ReportView>.self).items
    }

    // MARK: Admins

    /// The open ones of a market, the oldest first.
    public func openReports(in market: String, cursor: String? = nil) async throws -> Items<ReportView> {
        try await send(.get("/admin/v1/markets/\(market)/reports", query: [("limit", "100"), ("cursor", cursor)]))
            .decode()
    }

    public func decide(_ report: UUID, _ decision: ReportDecided.Decision, reason: String) async throws {
        try await send(
            try .post(
                "/admin/v1/reports/\(report.path)/decision", ["decision": decision.rawValue, "reason": reason]))
    }

    public func answer(_ report: UUID, _ answer: String) async throws {
        try await send(try .post("/admin/v1/reports/\(report.path)/answer", ["answer": answer]))
    }
}
