import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import SeraiJSON

@testable import ServiceKit

extension Parser {
    static let requests = [headers, queries, cursors, forms]

    /// One header in each reading that there is.
    static let headers = Parser(name: "headers", maximumBytes: 16_384) { bytes in
        let text = text(bytes)
        let lines = text.split(separator: "\n").map(String.init)
        _ = AcceptedTypes(lines).includes("application/json; charset=utf-8")
        let tags = EntityTags(lines)
        try require(!tags.contains("\"never sent: \n\"") || text.contains("*"), "a tag that is not in it")
        let languages: Set<Language> = [.english, .arabic]
        let chosen = Language.negotiate(acceptLanguage: text, preferred: .arabic, available: languages)
        try require(languages.contains(chosen), "the language \(chosen)")
        if let key = IdempotencyKey.parse(text) {
            try require(IdempotencyKey.characters.contains(key.utf8.count), "a key of \(key.utf8.count)")
            try require(IdempotencyKey.parse("\"\(key)\"") == key, "another key in quotes: \(key)")
        }
        let client = ClientAddress.client(peer: "127.0.0.1", forwardedFor: lines, trusted: ["127.0.0.1"])
        try require(ClientAddress.isAddress(client), "\(client) is no address")
        try require(ClientAddress.canonical(client) == client, "\(client) has another form")
        _ = ClientAddress.limitKey(text)
        if let subject = KeyArea.subject(of: text) {
            let parts = text.split(separator: "/")
            try require(KeyArea.of(text) != nil && !parts.contains(".."), "\(subject) of \(text)")
        }
    }

    /// A path and its query, with each reader of a parameter.
    static let queries = Parser(name: "queries", maximumBytes: AddressTextMiddleware.maximumTargetBytes) { bytes in
        // The server has refused all others before.
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return }
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/" + text(bytes))
        let request = Request(head: head, body: .init(buffer: .init()))
        let plain = request.withPlainPath
        try require(plain.withPlainPath.head.path == plain.head.path, "not plain: \(plain.head.path ?? "")")
        let query = QueryForm(request)
        let words = query.text("text", maximum: 20)
        try require((words ?? "").count <= 20, "\(words ?? "") is too long")
        let number = query.integer("number", in: 0...1_000)
        try require(number.map { (0...1_000).contains($0) } ?? true, "the number \(number ?? 0)")
        try require(query.uuids("ids", maximum: 3).count <= 3, "too many ids")
        try require(query.ids("list", maximum: 3).count <= 3, "too many ids in a list")
        _ = (query.uuid("id"), query.bool("flag"), query.currency(), query.text("search", isSearch: true))
        if let date = query.date("date") {
            try require(WireTime.parse(WireTime.text(date)) != nil, "\(date) has no text")
        }
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        if let days = query.days(timeZone: "Asia/Riyadh", now: now) {
            try require((1...DayRange.maximumDays).contains(days.days.count), "\(days.days.count) days")
            try require(days.start < days.end, "it ends at \(days.end)")
        }
        let sealer = CursorSealer(secret: Redacted("a secret of the fuzzer, 32 characters"))
        if let page = try? query.page(of: "list", sealedBy: sealer) {
            try require((1...ListPage.maximumLimit).contains(page.limit), "a page of \(page.limit)")
            try require(query.isValid && page.cursor == nil, "a cursor that nobody has sealed")
        } else {
            _ = query.problem
        }
    }

    /// Cursors: what was sealed is opened, and nothing else.
    static let cursors = Parser(name: "cursors", maximumBytes: 2_048) { bytes in
        let sealer = CursorSealer(secret: Redacted("a secret of the fuzzer, 32 characters"))
        let scope = CursorScope(list: "orders", filters: ["state": "open"], owner: "me")
        let text = text(bytes)
        if let opened = try? sealer.open(text, for: scope) { throw Broken("\(text) is opened as \(opened)") }
        if let cursor = try? JSON.stored.decode(Cursor.self, bytes) {
            let sealed = try sealer.seal(cursor, for: scope)
            if sealed.utf8.count <= CursorSealer.maximumCharacters {
                try require(try sealer.open(sealed, for: scope) == cursor, "another cursor than \(cursor)")
            }
            for value in cursor.values { _ = (value.date, value.uuid, value.integer) }
        }
        try require(Base64URL.decode(Base64URL.encode(bytes)).map(Array.init) == bytes, "base64url")
        if let decoded = Base64URL.decode(text) {
            try require(Base64URL.decode(Base64URL.encode(decoded)) == decoded, "base64url of \(text)")
        }
    }

    private enum Choice: String, CaseIterable { case one, two }

    /// A body, with each reader of a field.
    static let forms = Parser(name: "forms") { bytes in
        guard let value = try? JSONValue(parsing: bytes) else { return }
        let form = Form(value)
        let line = form.string("name", length: 1...20)
        try require((line ?? "a").count <= 20 && line?.isEmpty != true, "the line \(line ?? "")")
        try require(line?.unicodeScalars.contains { $0.properties.generalCategory == .control } != true, "a control")
        let text = form.string("text", length: 0...2_000, lines: true, required: false)
        try require((text ?? "").count <= 2_000, "a text of \(text?.count ?? 0)")
        if let digits = form.digits("code", count: 6) {
            try require(Int(digits.revealed) != nil && digits.revealed.count == 6, "a code")
        }
        _ = (form.secret("password", length: 8...64), form.code("card", length: 1...30))
        if let mail = form.email("email") { try require(mail.contains("@") && mail.count <= 254, mail) }
        if let phone = form.phone("phone") { try require(TextRule.isPhone(phone), phone) }
        _ = (
            form.phone("landline", isMobile: false), form.uuid("id"), form.bool("flag"),
            form.choice("choice") as Choice?
        )
        if let date = form.date("date") {
            try require(WireTime.parse(WireTime.text(date)) != nil, "\(date) has no text")
        }
        let whole = form.integer("whole", in: -5...5)
        let number = form.number("number", in: -5...5)
        try require((-5...5).contains(whole ?? 0) && (-5...5).contains(number ?? 0), "a number out of range")
        if let (latitude, longitude) = form.coordinates("place") {
            try require(abs(latitude) <= 90 && abs(longitude) <= 180, "\(latitude), \(longitude)")
        }
        for item in form.objects("items", count: 0...10) ?? [] { _ = item.string("name", length: 1...5, .personName) }
        try require(form.strings("list", count: 0...3, length: 1...9)?.count ?? 0 <= 3, "a list that is too long")
        _ = form.group("group")?.position(required: false)
        _ = form.isValid ? nil : form.problem
        let same = [value, try JSONValue(parsing: JSON.sorted.encode(value))].map { value in
            // try?: what was parsed is written.
            IdempotencyInput(
                method: .post, path: "/", body: Data((try? JSON.answer.encode(value)) ?? []), isJSON: true,
                secretFields: []
            ).bytes
        }
        try require(same[0] == same[1], "the same request is another one")
    }
}
