import Testing

@testable import ServiceKit

@Suite("Phone numbers")
struct PhoneNumberTests {
    @Test(
        "P10: a mobile number is one number however it is typed, as the plan of its country has it",
        arguments: [
            ("+966 50 123 4567", "+966501234567"), ("\u{202D}+966501234567\u{202C}", "+966501234567"),
            ("00966 50-123-4567", "+966501234567"), ("+٩٦٦٥٠١٢٣٤٥٦٧", "+966501234567"),
            ("＋９６６５０１２３４５６７", "+966501234567"),
            ("+966 050 123 4567", "+966501234567"), ("+966 (0)50 123 4567", "+966501234567"),
            ("+46 (0)70-123 45 67", "+46701234567"), ("+46 070 123 45 67", "+46701234567"),
            ("+61 (0)412 345 678", "+61412345678"), ("+44 (0)7400 123456", "+447400123456"),
            ("+1 306 555 2345", "+13065552345"), ("+1 (1) 306-555-2345", "+13065552345"),
            ("+39 312 345 6789", "+393123456789"), ("+7 8 912 345-67-89", "+79123456789"),
            ("+20 0100 123 4567", "+201001234567"), ("+54 011 15 2345 6789", "+5491123456789"),
            ("+55 0 11 96123-4567", "+5511961234567"), ("+225 01 23 45 67 89", "+2250123456789"),
            ("+971\u{00A0}50\u{00A0}123\u{00A0}4567", "+971501234567"), ("tel:+46701234567", "+46701234567"),
            (" TEL:+46 (0)70-123 45 67", "+46701234567"), ("tel:0046-70-123-45-67", "+46701234567"),
            ("ｔｅｌ：+٤٦٧٠١٢٣٤٥٦٧", "+46701234567"),
        ])
    func mobiles(typed: String, expected: String) {
        #expect(PhoneNumber(mobile: typed)?.text == expected)
        #expect(PhoneNumber(known: typed)?.text == expected)
        #expect(PhoneNumber(mobile: expected)?.text == expected)
        #expect(PhoneNumber(mobile: expected)?.former == nil)
    }

    @Test(
        "P10: a number that no SMS reaches is none: without a country, of a fixed line, too short or long, made up",
        arguments: [
            "", "0501234567", "966501234567", "+0966501234567", "+96650", "+9665012345678901", "+96650a", "++1",
            "+966112345678", "+966800123456", "+4687654321", "+39 06 1234 5678", "+39 0312 345 6789", "+999501234567",
            "+8811234567890", "+442079460000", "+966999999999", "+", "tel:", "tel:0701234567", "tel:tel:+46701234567",
            "tel:+46701234567;ext=5", "sms:+46701234567", "+46tel:701234567",
        ])
    func noMobiles(typed: String) { #expect(PhoneNumber(mobile: typed) == nil) }

    @Test("I5: of a known country, its own way of writing is enough")
    func national() {
        for typed in ["0501234567", "501234567", "٠٥٠١٢٣٤٥٦٧", "+966501234567", "00966501234567", "050 123 4567"] {
            #expect(PhoneNumber(mobile: typed, callingCode: "966")?.text == "+966501234567", "\(typed)")
        }
        #expect(PhoneNumber(mobile: "0112345678", callingCode: "966") == nil)
    }

    @Test("I4: who is looked for may have a number of any kind, and the digits as they were kept are known, too")
    func known() {
        #expect(PhoneNumber(known: "+966112345678")?.text == "+966112345678")
        #expect(PhoneNumber(known: "+999501234567")?.text == "+999501234567")
        #expect(PhoneNumber(known: "+46 (0)70 123 45 67")?.former == "+460701234567")
        #expect(PhoneNumber(known: "0501234567") == nil)
        #expect(PhoneNumber(known: "+1234567890123456") == nil)
    }

    @Test("P10: the table of plans can be read: each expression, and no calling code that begins another")
    func table() throws {
        #expect(PhonePlan.all.count > 200)
        for (code, plan) in PhonePlan.all {
            for expression in [plan.trunkPrefix, plan.general, plan.mobile] where !expression.isEmpty {
                #expect(throws: Never.self, "\(code)") { _ = try Regex(expression) }
            }
            for length in 1..<code.count { #expect(PhonePlan.all[String(code.prefix(length))] == nil, "\(code)") }
        }
    }
}
