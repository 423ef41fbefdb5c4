import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A general notice as shown to admins.
struct GeneralNoticeView: ResponseEncodable, Encodable, Sendable {
    let notice: String
    let market: String
    /// By language.
    let subject: [String: String]
    let content: [String: String]
    let audience: String
    let title: String?
    let language: String?
    let state: String
    let dueAt: Date
    let createdAt: Date
    let createdBy: String
    /// How many have got it so far.
    let recipients: Int
    let endedAt: Date?
    let version: Int

    init(_ notice: GeneralNotice) {
        self.notice = notice.id.text
        market = notice.market
        // try?: a newer program wrote it.
        let arguments = (try? [String: TextArgument](stored: notice.arguments)) ?? [:]
        subject = Self.words(arguments["subject"])
        content = Self.words(arguments["content"])
        audience = notice.audience.group.rawValue
        (title, language) = (notice.audience.title, notice.audience.language)
        state = notice.state
        (dueAt, createdAt, endedAt) = (notice.dueAt, notice.createdAt, notice.endedAt)
        createdBy = notice.createdBy.text
        (recipients, version) = (notice.recipients, notice.version)
    }

    private static func words(_ argument: TextArgument?) -> [String: String] {
        guard case .words(let words)? = argument else { return [:] }
        return words.first ?? [:]
    }
}

/// A notice as a line of a file.
extension GeneralNoticeView {
    static let columns: [LocalizedText] = [
        ["en": "Notice", "ar": "الإشعار"], ["en": "Written", "ar": "كُتب"], ["en": "By", "ar": "بواسطة"],
        ["en": "State", "ar": "الحالة"], ["en": "To", "ar": "إلى"], ["en": "Profession", "ar": "المهنة"],
        ["en": "Language", "ar": "اللغة"], ["en": "Goes out", "ar": "وقت الإرسال"], ["en": "Ended", "ar": "انتهى"],
        ["en": "Got it", "ar": "وصل إلى"], ["en": "Title (English)", "ar": "العنوان (الإنجليزية)"],
        ["en": "Title (Arabic)", "ar": "العنوان (العربية)"], ["en": "Text (English)", "ar": "النص (الإنجليزية)"],
        ["en": "Text (Arabic)", "ar": "النص (العربية)"],
    ]

    var line: [CSVLine.Cell] {
        [
            .text(notice), .text(Timestamp.text(createdAt)), .text(createdBy), .text(state), .text(audience),
            .text(title), .text(language), .text(Timestamp.text(dueAt)), .text(endedAt.map(Timestamp.text)),
            .number(recipients), .text(subject["en"]), .text(subject["ar"]), .text(content["en"]),
            .text(content["ar"]),
        ]
    }
}

/// How many people would get a notice.
struct NoticeReachView: ResponseEncodable, Encodable, Sendable {
    let people: Int
    /// There may be more: so many people are not all counted.
    let isMore: Bool
}
