import Foundation
import Testing

@testable import SeraiNotifications

@Suite("N4: the rules of talk")
struct TalkDoorTests {
    private static let end = Date(timeIntervalSince1970: 1_790_000_000)

    private func door(
        _ state: String, endedAt: Date? = nil, after: Int? = 3_600, same: Bool = true, at seconds: Double = 0
    ) -> TalkDoor {
        TalkDoor(
            state: state, endedAt: endedAt, states: ["enRoute", "arrived"], afterSeconds: after, hasSameParties: same,
            at: Self.end.addingTimeInterval(seconds))
    }

    @Test("N4: it is open in the states that the market names, and for some time after the end")
    func states() {
        #expect(door("enRoute") == .open && door("arrived") == .open)
        #expect(door("accepted") == .closed && door("inProgress") == .closed)
        let after = door("completed", endedAt: Self.end, at: 3_599)
        #expect(after.isOpen && after.closesAt == Self.end.addingTimeInterval(3_600))
        #expect(!door("completed", endedAt: Self.end, at: 3_600).isOpen)
        #expect(door("cancelled", endedAt: Self.end, after: nil) == .closed)
        #expect(!door("completed", endedAt: Self.end, after: 0).isOpen)
    }

    @Test("N4: whoever is no party any more writes nothing, whatever the state is")
    func parties() {
        #expect(door("enRoute", same: false) == .closed)
        #expect(door("completed", endedAt: Self.end, same: false) == .closed)
    }
}

@Suite("P8: phone numbers and addresses in what people write")
struct ContactWordsTests {
    @Test(
        "P8: a number is found in all ways in which people write one",
        arguments: [
            "0501234567", "+966 50 123 4567", "call 050-123-4567 please", "٠٥٠١٢٣٤٥٦٧", "۰۵۰۱۲۳۴۵۶۷",
            "0 5 0 1 2 3 4 5 6 7",
            "0.5.0.1.2.3.4.5.6.7", "(08) 9221 5000", "050\n123\n4567", "رقمي ٠٥٠ ١٢٣ ٤٥٦٧", "0412 345 678",
            "05_01_23_45_67",
        ])
    func numbers(text: String) { #expect(ContactWords.hasPhoneNumber(text), "\(text)") }

    @Test(
        "P8: prices, doors, times and days are no numbers",
        arguments: [
            "", "I am at 24 King Road", "at 17:45", "2026-03-14", "14/3/2026 at 9", "it costs 1,250,000", "150.00 SAR",
            "code 1234, floor 12", "3 2 1", "order 8f2a 11c4", "٢٤ شارع الملك",
        ])
    func noNumbers(text: String) { #expect(!ContactWords.hasPhoneNumber(text), "\(text)") }

    @Test(
        "P8: an address is found also where sign and dot are words",
        arguments: [
            "huda@example.com", "Huda.Salem@mail.example.org", "huda @ example . com", "huda (at) example (dot) com",
            "huda at example dot com", "huda at example.com", "huda [at] gmail [dot] com", "huda آت example دوت com",
            "write to huda@example.com.", "huda ات example نقطة sa",
        ])
    func addresses(text: String) { #expect(ContactWords.hasAddress(text), "\(text)") }

    @Test(
        "P8: sentences are no addresses",
        arguments: [
            "", "look at it. Then come", "meet me at the gate", "@", "a@", "@home.", "at dot com",
            "I am at home. Come in",
            "5 @ 3 SAR each", "price @ home",
        ])
    func noAddresses(text: String) { #expect(!ContactWords.hasAddress(text), "\(text)") }

    @Test("N4: what tells other processes of typing is read as it was written, and nothing else is taken for it")
    func signal() {
        let signal = TypingSignal(
            conversation: UUID(), accounts: [UUID(), UUID()], data: #"{"role":"customer", "a":"b c"}"#)
        #expect(TypingSignal(signal.payload) == signal)
        let news = StreamNotification.payloads([UUID(), UUID()], from: UUID())
        for payload in news + ["", "typing", "typing x y z"] { #expect(TypingSignal(payload) == nil) }
        // An older process leaves it.
        #expect(StreamNotification(signal.payload) == nil)
    }
}
