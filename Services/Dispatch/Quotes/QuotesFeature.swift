import ServiceKit

extension Feature {
    static func quotes(_ parts: DispatchParts) -> Feature {
        Feature("quotes", routes: { parts.places.quotes.add(to: $0.router) })
    }
}
