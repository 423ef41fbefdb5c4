import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("The words of inbox items", .timeLimit(.minutes(15)))
struct ItemWordTests {
    @Test("N1, P7: the words name people, services, money and time, and follow the account's language when it changes")
    func words() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                try await world.publish(sample.registered(sample.provider, language: "en"))
                try await world.publish(sample.requested())
                try await world.settle()
                let english = try #require(try await process.inbox(sample.provider).first)
                #expect(english.subject == "New request from Salem")
                #expect(english.content == "Wound care, Injection, 150.50 SAR. Please answer within 2 min.")
                #expect(english.at == sample.requested().order.changedAt)

                let person = sample.person(sample.provider, language: "ar", version: 3)
                try await world.publish(AccountChanged(account: person, at: sample.start))
                let older = sample.person(sample.provider, language: "en", version: 2)
                try await world.publish(AccountChanged(account: older, at: sample.start))
                try await world.settle()
                let arabic = try #require(try await process.inbox(sample.provider).first)
                #expect(arabic.id == english.id)
                #expect(arabic.subject == "طلب جديد من Salem")
                #expect(arabic.content == "العناية بالجروح، الحقن، 150.50 ر.س. يرجى الرد خلال 2 دقيقة.")
            }
        }
    }

    @Test("C8: until when a subscription holds is told as a day of the market, not of another zone")
    func subscriptionDay() throws {
        // Half past one in the night of Riyadh.
        let end = Date(timeIntervalSince1970: 1_772_404_200)
        let started = SubscriptionStarted(
            subscription: .timeOrdered(), account: .timeOrdered(), market: "assef", plan: .timeOrdered(), version: 1,
            price: Money(amount: 9_900, currency: "SAR"), startsAt: end, endsAt: end, isRenewal: false, at: end)
        let notice = try #require(try OutgoingMoneyNotices.notices(started, Market.assef.defaults).first)
        #expect(notice.payload.contains("2026-03-02") && !notice.payload.contains("2026-03-01"), "\(notice.payload)")
    }

    @Test("O2, O7: a visit that a fine stands in the way of says so, in both languages")
    func visitOfBlockedAccount() throws {
        let start = Date(timeIntervalSince1970: 1_772_404_200)
        let dropped = SeriesVisitDropped(
            series: .timeOrdered(), customer: .timeOrdered(), market: "edencare", day: "2026-03-02", startsAt: start,
            reason: "account-blocked", at: start)
        let notice = try #require(try SeriesNotices.notices(dropped, Market.edencare.defaults).first)
        for words in ["a fine for a late cancellation has to be paid first", "يجب دفع غرامة الإلغاء المتأخر أولًا"] {
            #expect(notice.payload.contains(words), "\(notice.payload)")
        }
    }

    @Test("A11, O2, N7: the reminder after the block says that the account is blocked, where and since which day")
    func reminderOfBlocked() throws {
        // Half past one in the night of Riyadh.
        let end = Date(timeIntervalSince1970: 1_772_404_200)
        func topic(at now: Date) throws -> Notice {
            try #require(
                try WalletNotices.notices(
                    FineReminder(
                        account: .timeOrdered(), market: "assef", owed: Money(amount: 600, currency: "SAR"),
                        dueAt: end, at: now), Market.assef.defaults
                ).first)
        }
        let before = try topic(at: end.addingTimeInterval(-60))
        #expect(before.label == InboxTopic.fineReminder.rawValue)
        for now in [end, end.addingTimeInterval(86_400)] {
            let blocked = try topic(at: now)
            #expect(blocked.label == InboxTopic.fineReminderBlocked.rawValue)
            for words in ["2026-03-02", "Assef", "600"] {
                #expect(blocked.payload.contains(words), "\(blocked.payload)")
            }
        }
    }

    @Test("C8, P7: a subscription that could not be renewed is told in the reader's language, with the day of its end")
    func notRenewed() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for (person, language) in [(sample.customer, "en"), (sample.provider, "ar")] {
                    try await world.publish(sample.registered(person, language: language))
                    try await world.publish(
                        SubscriptionRenewalFailed(
                            subscription: .timeOrdered(), account: person, market: "assef", period: .timeOrdered(),
                            reason: "insufficient-funds", endsAt: Date(timeIntervalSince1970: 1_772_404_200),
                            at: sample.start))
                }
                try await world.settle()
                let english = try #require(try await process.inbox(sample.customer).first)
                #expect(english.subject == "Your subscription to Assef could not be renewed")
                #expect(english.content.hasPrefix("It ends on 2026-03-02 unless it is paid before."))
                let arabic = try #require(try await process.inbox(sample.provider).first)
                #expect(arabic.subject.hasPrefix("تعذر تجديد اشتراكك في "))
                #expect(arabic.content.hasPrefix("ينتهي في 2026-03-02 ما لم يُدفع قبل ذلك."))
            }
        }
    }

    @Test("O3: a reported order names the reason in the reader's language, and a decision who gets how much")
    func reportWords() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample()
                for (person, language) in [(sample.customer, "en"), (sample.provider, "ar")] {
                    try await world.publish(sample.registered(person, language: language))
                }
                let reported = sample.snapshot(.disputed, version: 5, by: .customer) { $0.reason = "not-done" }
                try await world.publish(OrderDisputed(order: reported))
                try await world.publish(OrderCompleted(order: sample.decided(.split, .completed, 5_050)))
                try await world.settle()
                let toProvider = try await process.inbox(sample.provider)
                #expect(toProvider.last?.subject == "تم الإبلاغ عن الطلب من قبل Salem")
                #expect(toProvider.last?.content.contains("لم تُقدَّم الخدمة أو قُدِّمت بشكل سيئ") == true)
                let toCustomer = try #require(try await process.inbox(sample.customer).first)
                #expect(
                    toCustomer.content
                        == "Wound care, Injection: 50.50 SAR go back to Salem, and 100.00 SAR are for نورة. The reason: Half of it came"
                )
            }
        }
    }
}
