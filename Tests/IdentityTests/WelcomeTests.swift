import Contracts
import Testing

@testable import SeraiIdentity

@Suite("The mail to a verified provider")
struct WelcomeTests {
    private static func text(_ title: String?, needsSubscription: Bool = false) -> String {
        RequestDelivery.Text.providerVerified(
            market: ["en": "Perth"], title: title, needsSubscription: needsSubscription
        ).name
    }

    @Test("I7, C8: the mail fits the work of the title, in every market")
    func texts() {
        let expected = [
            "nurse": "provider-verified", "doctor": "provider-verified", "driver": "provider-verified-driver",
            "restaurant": "provider-verified-restaurant", "care-partner": "provider-verified-care-partner",
            "carrier": "provider-verified-carrier",
        ]
        for (title, text) in expected {
            #expect(Self.text(title) == text)
        }
        #expect(Self.text(nil) == "provider-verified")
        // Where nobody sees a provider without a subscription it is said first.
        #expect(Self.text("nurse", needsSubscription: true) == "provider-verified-subscribed")
        #expect(Self.text("driver", needsSubscription: true) == "provider-verified-driver")
        // Whoever sets no prices is not told to.
        for market in Market.all where market.id != "assef" {
            for title in market.titles { #expect(RequestDelivery.Text.preparedTitles.contains(title.id)) }
        }
    }
}
