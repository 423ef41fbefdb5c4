import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

@Suite("What admins see of money", .timeLimit(.minutes(15)))
struct MarketMoneyTests {
    @Test("W8: an admin sees the payments of the market, and one with all its transfers, and no card")
    func payments() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, elsewhere) = (try await wallet.admin(), try await wallet.admin(in: "hajji"))
            let card = try await wallet.card(salem)
            var orders: [OrderSnapshot] = []
            for index in 0..<5 {
                let order = try await wallet.accepted(salem, noura, amount: 1_000 + index)
                _ = try await wallet.payByCard(order, salem, card)
                try await wallet.eventually(order, is: .held)
                orders.append(order)
            }
            try await wallet.hear(orders[0].now(.completed))
            try await wallet.eventually(orders[0], is: .captured)
            var seen: [String] = []
            var path = "markets/assef/payments?limit=2&customer=\(salem.account.text)"
            while true {
                let page = try await wallet.get(path, admin)
                #expect(page.status == 200, "\(page.text)")
                seen += page.items.compactMap { $0["order"]?.string }
                guard let next = page.json["next"]?.string else { break }
                path = "markets/assef/payments?limit=2&customer=\(salem.account.text)&cursor=\(next)"
            }
            #expect(seen == orders.reversed().map(\.order.text))
            #expect(try await wallet.get("markets/assef/payments?state=captured", admin).items.count == 1)
            #expect(try await wallet.get("markets/assef/payments?method=cash", admin).items.isEmpty)
            #expect(try await wallet.get("markets/assef/payments?state=x&customer=y&from=z", admin).codes.count == 3)

            let one = try await wallet.get("markets/assef/payments/\(orders[0].order.text)", admin)
            guard case .array(let transfers)? = one.json["transfers"] else { throw Failure(text: one.text) }
            #expect(transfers.map { $0["kind"]?.string } == ["hold", "capture"])
            #expect(one.json["providerShare"]?.integer == 850 && one.json["commissionBasisPoints"]?.integer == 1_500)
            #expect(!one.text.contains("4242") && !one.text.contains("pm_"), "A5")
            let ratios = try await wallet.get("markets/assef/commissions", admin)
            #expect(ratios.items.map { $0["commission"]?.integer } == [150], "\(ratios.text)")

            let paths = [
                "payments", "payments.csv", "payments/\(orders[0].order.text)", "commissions", "cash-outs",
                "cash-outs.csv", "approvals", "promo-codes", "subscribers", "subscribers.csv", "subscription-figures",
                "subscription-figures.csv", "refunds", "refunds.csv", "fines", "fines.csv", "fine-figures",
                "promo-codes.csv", "commissions.csv", "disputes", "debtors",
                "wallets",
            ]
            for path in paths {
                for (person, status) in [(salem, 403), (noura, 403), (elsewhere, 403), (nil, 401)] as [(Person?, Int)] {
                    #expect(try await wallet.get("markets/assef/\(path)", person).status == status, "\(path)")
                }
            }
            // All that there is under a market to read, so that none is forgotten here.
            let document = try OpenAPIDocument(yaml: String(decoding: WalletService.openAPI, as: UTF8.self))
            let prefix = "GET /wallet/v1/markets/{market}/"
            let known = Set(document.operations.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) })
            let elsewhereTested: Set<Substring> = [
                "subscription-plans", "subscription", "cash-outs/{cashOut}", "promo-codes/{code}", "disputes/{dispute}",
                "approvals/{approval}", "debtors/{account}",
                // `ConsoleMoneyTests` asks for these.
                "waiting", "day-figures", "day-figures.csv", "disputes.csv", "approvals.csv", "debtors.csv",
                "write-offs",
                "write-offs.csv", "people/{account}/consenting-cards",
            ]
            let asked = Set(paths.map { $0.hasPrefix("payments/") ? "payments/{order}" : $0[...] })
            #expect(known.subtracting(elsewhereTested) == asked)
            let promo = #"{"code": "MINE", "amount": 5}"#
            for (person, status) in [(salem, 403), (elsewhere, 403), (nil, 401)] as [(Person?, Int)] {
                #expect(try await wallet.post("markets/assef/promo-codes", person, promo).status == status)
                #expect(
                    try await wallet.post("markets/assef/promo-codes/\(UUID().text)/end", person, "").status == status)
            }
            let wrong = try await wallet.post(
                "markets/assef/promo-codes", admin, #"{"code": "a b", "amount": 5, "basisPoints": 5}"#)
            #expect(wrong.status == 422, "\(wrong.text)")
            _ = try await wallet.promoCode(admin, #""amount": 5"#, code: "TWICE")
            #expect(
                try await wallet.post(
                    "markets/assef/promo-codes", admin,
                    #"{"code": "twice", "amount": 6, "minimumPrice": 100, "limit": 10, "limitPerAccount": 1}"#
                ).codes
                    == ["/code": "code-taken"])
        }
    }

    @Test("W8: file and history tell shares of captured payments alone, and the states by which the list is filtered")
    func sharesOfCaptured() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(24_000, to: salem)
            let paid = try await wallet.captured(salem, noura)
            let frozen = try await wallet.held(salem, noura)
            try await wallet.hear(frozen.now(.disputed))
            #expect(try await wallet.state(of: frozen) == .frozen)
            let lines = try await wallet.csv("markets/assef/payments.csv", admin).split(separator: "\r\n")
            let one = try #require(lines.first { $0.contains(paid.order.text) })
            let other = try #require(lines.first { $0.contains(frozen.order.text) })
            #expect(one.contains(",Paid,Wallet,") && one.contains(",12000,0,1800,1500,SAR,"), "\(one)")
            #expect(
                other.contains(",Held until a report is decided,Wallet,") && other.contains(",12000,0,,1500,SAR,"),
                "\(other)")
            let arabic = try await wallet.csv("markets/assef/payments.csv?state=frozen", admin, language: "ar")
            #expect(arabic.contains("محجوز حتى البت في البلاغ") && arabic.contains("المحفظة"), "\(arabic)")
            let shown = try await wallet.get("markets/assef/payments?state=frozen", admin).items.first
            #expect(
                shown?["stateText"]?.string == "Held until a report is decided" && shown?["state"]?.string == "frozen")
            let file = try await wallet.csv("markets/assef/payments.csv?state=frozen", admin)
            #expect(
                file.contains(",Held until a report is decided,") && file.split(separator: "\r\n").count == 2, "\(file)"
            )
            for (order, provider, platform) in [(paid, 10_200, 1_800), (frozen, nil, nil)]
                as [(OrderSnapshot, Int?, Int?)]
            {
                let seen = try await wallet.get("markets/assef/payments/\(order.order.text)", admin)
                #expect(seen.json["providerShare"]?.integer == provider, "\(seen.text)")
                #expect(seen.json["platformShare"]?.integer == platform)
                #expect(seen.json["methodText"]?.string == "Wallet")
                guard case .array(let transfers)? = seen.json["transfers"],
                    case .array(let entries)? = transfers.first?["entries"]
                else { throw Failure(text: seen.text) }
                #expect(transfers.first?["kindText"]?.string == "Held", "\(seen.text)")
                #expect(entries.contains { $0["accountText"]?.string == "Held for the order" }, "\(seen.text)")
            }
        }
    }

    @Test("W8: a payment is shown with the transfers of its refunds and its deposit, too")
    func transfersAround() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(12_000, to: salem)
            try await wallet.give(2_000, to: noura)
            let order = try await wallet.accepted(salem, noura)
            let deposit = Deposit(
                id: .timeOrdered(), order: order.order, market: "assef", provider: noura.account, providerName: "N",
                customer: salem.account, customerName: "S", currency: "SAR", amount: 2_000, orderVersion: 2,
                state: .locked)
            try await wallet.pool.withTransaction { transaction in
                transaction.send(InsertDeposit(deposit: deposit))
                try await Ledger.post([Transfers.lock(deposit, id: .timeOrdered())], in: transaction)
            }
            try await wallet.pay(order, salem, held: "wallet")
            try await wallet.hear(order.now(.completed))
            #expect(try await wallet.refund(order, admin, 1_000).status == 201)
            let one = try await wallet.get("markets/assef/payments/\(order.order.text)", admin)
            guard case .array(let transfers)? = one.json["transfers"] else { throw Failure(text: one.text) }
            let kinds = transfers.map { $0["kind"]?.string ?? "" }
            #expect(Set(kinds).isSuperset(of: ["deposit", "hold", "capture", "refund"]), "\(kinds)")
            #expect(kinds.first == "deposit" && kinds.last == "refund", "\(kinds)")
        }
    }

    @Test("W8: the trial balance of each day adds up to nothing and ends with what the accounts hold now")
    func days() async throws {
        try await WalletFixture.run { wallet in
            let (salem, master) = (try await wallet.people.customer(), try await wallet.people.master())
            try await wallet.give(700, to: salem)
            try await wallet.give(300, to: salem, currency: "EUR")
            let answer = try await wallet.get("ledger/days", master)
            #expect(answer.items.map { $0["currency"]?.string } == ["EUR", "SAR"], "\(answer.text)")
            #expect(answer.items.allSatisfy { $0["sum"]?.integer == 0 })
            let csv = try await wallet.csv("ledger/days.csv", master)
            #expect(csv.contains(",SAR,wallet,700,0,700\r\n"), "\(csv)")
            #expect(try await wallet.get("ledger/days", try await wallet.admin()).status == 403)
            #expect(try await wallet.get("ledger/days.csv", salem).status == 403)
            #expect(try await wallet.get("ledger/days", nil).status == 401)
            for wrong in [
                "from=yesterday", "from=2026-02-30", "from=2026-03-02&to=2026-03-01", "from=2020-01-01&to=2026-01-01",
            ] {
                #expect(try await wallet.get("ledger/days?\(wrong)", master).status == 400, "\(wrong)")
            }
        }
    }

    @Test("W8: balances of past days are those of now, less what came after")
    func pastDays() {
        let now = [
            KindBalance(currency: "SAR", kind: "external", balance: -100, accounts: 1),
            KindBalance(currency: "SAR", kind: "wallet", balance: 100, accounts: 1),
        ]
        func movement(_ day: String, _ kind: String, _ credits: Int, _ debits: Int) -> DayMovement {
            DayMovement(day: day, currency: "SAR", kind: kind, credits: credits, debits: debits)
        }
        let balances = DayBalances(
            now,
            [
                movement("", "wallet", 50, 0), movement("", "external", 0, 50),
                movement("2026-03-02", "wallet", 30, 10), movement("2026-03-02", "external", 10, 30),
                movement("2026-03-01", "wallet", 30, 0), movement("2026-03-01", "external", 0, 30),
            ])
        #expect(balances.lines.map(\.balance) == [-30, 30, -50, 50])
        #expect(balances.lines.map(\.day) == ["2026-03-01", "2026-03-01", "2026-03-02", "2026-03-02"])
    }

    @Test("W1, W8: a statement's file opens right: Arabic, quotes, line ends, and nothing that computes")
    func files() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            let nasty = ["=cmd|' /C calc'!A0", "He said \"no\", then", "سطر\nثان", "+1", "@SUM(A1)", "\t=1"]
            for (index, name) in nasty.enumerated() {
                let line = StatementLine(
                    account: noura.account, source: "test:\(index)", kind: .share, market: "assef", currency: "SAR",
                    amount: -5 - index, order: nil, method: nil, title: ["en": "Care", "ar": "رعاية"], payer: name,
                    beneficiary: "Noura", state: .accepted, reason: nil)
                try await wallet.pool.withTransaction {
                    $0.send(
                        StoreStatementLine(id: .timeOrdered(), line: line, at: Date().addingTimeInterval(Double(index)))
                    )
                }
            }
            let csv = try await wallet.csv("statement.csv", noura)
            #expect(csv.hasPrefix("\u{FEFF}Date and time (UTC),Transaction,Payer"))
            #expect(csv.contains(",\"'=cmd|' /C calc'!A0\",") && csv.contains(",\"He said \"\"no\"\", then\","))
            #expect(csv.contains(",\"سطر\nثان\",") && csv.contains(",'+1,") && csv.contains(",'@SUM(A1),"))
            #expect(csv.contains(",\"'\t'=1\",") && csv.contains(",-5,SAR,Accepted,"))
            let arabic = try await wallet.csv("statement.csv?sort=desc", noura, language: "ar")
            #expect(arabic.contains("أرباح: رعاية") && arabic.contains("مقبول") && arabic.contains("المستفيد"))
            #expect(try await wallet.get("statement.csv", nil).status == 401)
            #expect(try await wallet.csv("statement.csv?state=waiting", noura).split(separator: "\r\n").count == 1)
        }
    }

    @Test("W1: a file of more lines than a part has each line once")
    func longFile() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.pool.withTransaction { transaction in
                for index in 0..<1_203 {
                    let line = StatementLine(
                        account: noura.account, source: "test:\(index)", kind: .share, market: "assef", currency: "SAR",
                        amount: index, order: nil, method: nil, title: [:], payer: "", beneficiary: "",
                        state: .accepted,
                        reason: nil)
                    // Many at the same moment: the id decides.
                    transaction.send(
                        StoreStatementLine(
                            id: .timeOrdered(), line: line, at: Date(timeIntervalSince1970: Double(index / 700))))
                }
            }
            let csv = try await wallet.csv("statement.csv", noura)
            let amounts = csv.split(separator: "\r\n").dropFirst().compactMap {
                Int($0.split(separator: ",", omittingEmptySubsequences: false)[4])
            }
            #expect(amounts.sorted() == Array(0..<1_203))
        }
    }

    @Test("W1: a statement is filtered by kind and time")
    func filters() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            for (index, kind) in StatementLine.Kind.allCases.enumerated() {
                let line = StatementLine(
                    account: noura.account, source: "test:\(index)", kind: kind, market: "assef", currency: "SAR",
                    amount: index, order: nil, method: nil, title: [:], payer: "", beneficiary: "", state: .accepted,
                    reason: nil)
                let at = Date(timeIntervalSince1970: Double(1_800_000_000 + index * 60))
                try await wallet.pool.withTransaction {
                    $0.send(StoreStatementLine(id: .timeOrdered(), line: line, at: at))
                }
            }
            for kind in StatementLine.Kind.allCases {
                let items = try await wallet.get("statement?kind=\(kind.rawValue)", noura).items
                #expect(items.map { $0["kind"]?.string } == [kind.rawValue])
            }
            let from = Timestamp.text(Date(timeIntervalSince1970: 1_800_000_060))
            let to = Timestamp.text(Date(timeIntervalSince1970: 1_800_000_180))
            let items = try await wallet.get("statement?from=\(from)&to=\(to)", noura).items
            #expect(items.map { $0["amount"]?.integer } == [1, 2])
            #expect(try await wallet.get("statement?kind=x&from=y&to=z", noura).codes.count == 3)
        }
    }

    @Test("W8: cash-outs as a file")
    func cashOutFile() async throws {
        try await WalletFixture.run { wallet in
            let noura = try await wallet.people.provider()
            try await wallet.give(5_000, to: noura)
            _ = try await wallet.cashOut(1_234, noura)
            let csv = try await wallet.csv("markets/assef/cash-outs.csv?state=waiting", try await wallet.admin())
            #expect(
                csv.contains(",Waiting for a decision,\(noura.account.text),NOURA ALI,Al Rajhi,7519,1234,SAR,"),
                "\(csv)")
        }
    }

    struct Failure: Error { let text: String }
}

extension WalletFixture {
    /// The text of a file.
    func csv(_ path: String, _ person: Person, language: String = "en") async throws -> String {
        var headers: HTTPFields = [.acceptLanguage: language]
        headers[.authorization] = "Bearer \(person.token)"
        let response = try await http.executeRequest(
            uri: "/wallet/v1/\(path)", method: .get, headers: headers, body: nil)
        #expect(response.headers[.contentType] == "text/csv; charset=utf-8")
        return String(buffer: response.body)
    }
}
