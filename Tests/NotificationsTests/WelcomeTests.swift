import Contracts
import ServiceKit
import Testing

@testable import SeraiNotifications

@Suite("The words of the mail to a verified provider")
struct WelcomeTests {
    @Test("I7, C8, P7: each kind of work has a mail and an SMS of its own words, in both languages")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in NotificationsService.catalogues { try catalogue.add(language, json: json) }
        let texts = ["", "-subscribed", "-driver", "-restaurant", "-care-partner", "-carrier"].map {
            "provider-verified\($0)"
        }
        let arguments = ["name": "Huda", "market": "Perth", "link": "https://serai.example"]
        for language in [ServiceKit.Language.english, .arabic] {
            for kind in ["mail", "sms"] {
                let contents = texts.map { catalogue.text("\(kind).\($0).content", in: language, arguments) ?? "" }
                #expect(Set(contents).count == texts.count)
                for content in contents { #expect(content.contains("https://serai.example")) }
            }
            let mails = texts.map { catalogue.text("mail.\($0).content", in: language, arguments) ?? "" }
            #expect(
                mails.filter { $0.contains("your services and prices") || $0.contains("خدماتك وأسعارك") }.count == 2)
            #expect(mails.filter { $0.contains("subscription") || $0.contains("المشتركين") }.count == 1)
        }
    }
}
