import Contracts
import Foundation
import Messaging
import Testing

@testable import Phones

@Suite("What phones are shown, read without Foundation")
struct PhoneReadingTests {
    private static let id = "01890a0c-47b1-7c3a-9d52-3f6b8e1a2c4d"
    private static let order = """
        {"order":"\(id)","market":"assef","kind":"visit","version":4,"state":"accepted","label":"On the way",\
        "role":"customer","customer":{"account":"\(id)","name":"Salem"},"provider":{"account":"\(id)","name":"نورة"},\
        "customerRating":{"count":0},"providerRating":{"average":4.7,"count":3},"services":[{"service":"injection",\
        "name":{"en":"Injection"},"price":5000}],"total":{"amount":5000,"currency":"SAR"},\
        "payment":{"method":"card","state":"held"},"confirmedBy":[],"deadline":"2026-03-01T12:00:00.250Z",\
        "by":"provider","companion":"Huda","place":{"latitude":24.7135,"longitude":46.6753,"description":"Door 4"},\
        "ratings":{"customer":{"stars":5,"at":"2026-03-01T12:00:00.250Z"}},"requestedAt":"2026-03-01T11:58:00.000Z",\
        "changedAt":"2026-03-01T11:59:00.125Z","ended":{"fine":{"amount":1,"currency":"SAR"},"x":[1,null]}}
        """

    @Test("an order as dispatch shows it is read by hand, as Foundation reads it")
    func order() throws {
        let bytes = Array(Self.order.utf8)
        let read = try #require(
            FastJSON.read(bytes) { json throws(FastJSON.UnsupportedJSON) in try OrderView.read(&json) })
        let expected = try JSONDecoder.phones.decode(OrderView.self, from: Data(bytes))
        #expect(read.snapshot == expected.snapshot)
        #expect([read.label, read.role, read.event, read.companion] == ["On the way", "customer", nil, "Huda"])
        #expect(
            [expected.label, expected.role, expected.event, expected.companion] == [
                "On the way", "customer", nil, "Huda",
            ])
        #expect(read.place?.latitude == 24.713_5 && read.place?.longitude == 46.675_3)
        #expect(read.place?.description == "Door 4")
    }

    @Test("what a ride, a meal or care has besides is left to Foundation, and is not lost")
    func others() throws {
        let ride = Self.order.dropLast() + #","ride":{"size":"xl","needsStartCode":true,"startCode":"1234"}}"#
        let read = try PhoneJSON.decode(OrderView.self, from: Data(ride.utf8))
        #expect(read.ride?.startCode == "1234")
        let moved = Self.order.dropLast() + #","proposedAt":"2026-03-01T12:00:00Z"}"#
        #expect(try PhoneJSON.decode(OrderView.self, from: Data(moved.utf8)).proposedAt != nil)
    }

    @Test("a list of providers is read by hand, as Foundation reads it")
    func providers() throws {
        let list = """
            {"items":[{"provider":"\(Self.id)","name":"نورة","title":"nurse","titleName":"Nurse","rating":4.67,\
            "ratingCount":3,"prices":[{"service":"injection","price":5000}],"total":{"amount":5000,"currency":"SAR"},\
            "metresAway":500,"secondsAway":60},{"provider":"\(Self.id)","name":"Sami","ratingCount":0,"prices":[],\
            "total":{"amount":0,"currency":"SAR"},"metresAway":1,"secondsAway":1}],"next":"abc"}
            """
        let read = try #require(
            FastJSON.read(Array(list.utf8)) { json throws(FastJSON.UnsupportedJSON) in
                try Items<ProviderListing>.read(&json)
            })
        let expected = try JSONDecoder.phones.decode(Items<ProviderListing>.self, from: Data(list.utf8))
        #expect("\(read)" == "\(expected)")
        #expect(read.items.map(\.rating) == [4.67, nil])
    }

    @Test("items and payments on the stream are read by hand, as Foundation reads them")
    func events() throws {
        let item = """
            {"id":"\(Self.id)","topic":"order.accepted","subject":"Yes","content":"At nine","at":"2026-03-01T12:00:00.250Z",\
            "order":"\(Self.id)","read":false}
            """
        let read = try #require(
            FastJSON.read(Array(item.utf8)) { json throws(FastJSON.UnsupportedJSON) in try InboxItem.read(&json) })
        #expect(try "\(read)" == "\(JSONDecoder.phones.decode(InboxItem.self, from: Data(item.utf8)))")
        let payment = """
            {"event":"wallet.payment.held.v1","payment":"\(Self.id)","order":"\(Self.id)","state":"held","method":"card",\
            "amount":{"amount":5000,"currency":"SAR"},"version":2}
            """
        let outcome = try #require(
            FastJSON.read(Array(payment.utf8)) { json throws(FastJSON.UnsupportedJSON) in try PaymentOutcome.read(&json)
            })
        #expect(try "\(outcome)" == "\(JSONDecoder.phones.decode(PaymentOutcome.self, from: Data(payment.utf8)))")
    }
}

extension JSONDecoder {
    /// Foundation's alone.
    fileprivate static var phones: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
        }
        return decoder
    }
}
