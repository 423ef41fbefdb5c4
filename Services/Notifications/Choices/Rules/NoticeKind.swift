/// What notices are about, as people choose them (I6, N2).
enum NoticeKind: String, Sendable, CaseIterable {
    /// Work that is offered to a provider or a restaurant.
    case offers
    /// How the orders go that an account is a party of.
    case orders
    /// Orders that come again.
    case series
    /// What has come, gone or waits in the wallet.
    case money
    /// What is owed, ends or is blocked, unless something is done: the law or the money needs that it is told.
    case dues
    case ratings
    /// Papers, roles and the account itself.
    case account
    /// What a market tells all its people, or many.
    case general

    /// A way of telling.
    enum Way: String, Sendable, CaseIterable {
        /// Counts as unread in the inbox.
        case app
        case push, mail, sms
    }

    /// The ways on which something of the kind is told at all.
    var ways: [Way] {
        switch self {
        case .account: [.app, .push, .mail, .sms]
        case .dues: [.app, .push, .sms]
        case .offers, .orders, .series, .money, .ratings, .general: [.app, .push]
        }
    }

    /// Nobody can switch it off.
    var isLocked: Bool { self == .dues }

    /// Without a choice of the account.
    func isOn(_ way: Way) -> Bool { ways.contains(way) && !(self == .ratings && way == .push) }

    init(_ topic: InboxTopic) {
        switch topic {
        case .orderRequested, .orderOffered, .orderForYou, .orderMissed, .mealRequested, .mealMissed: self = .offers
        case .rated: self = .ratings
        case .fineCharged, .fineReminder, .fineReminderBlocked, .accountBlocked, .accountUnblocked, .walletFrozen,
            .walletUnfrozen, .depositForfeited, .debtWrittenOff, .subscriptionExpired, .subscriptionNotRenewed,
            .cardExpiring, .cardExpired, .cashOutStopped, .documentLapsed:
            self = .dues
        default: self = NoticeKind(prefixOf: topic.rawValue)
        }
    }

    private init(prefixOf topic: String) {
        switch topic.prefix(while: { $0 != "." }) {
        case "series": self = .series
        case "wallet", "deposit", "fine": self = .money
        // A payment that does not succeed ends the order unless its customer does something.
        case "payment":
            self = topic.hasPrefix("payment.refused") || topic.hasPrefix("payment.unattended") ? .dues : .money
        case "general": self = .general
        case "provider", "title", "account", "webhook", "link", "group": self = .account
        default: self = .orders
        }
    }

    /// The kind of a text that identity asks to send; nil for what is always sent: codes, links, and what was done to
    /// the account.
    init?(text: String) {
        switch text {
        case "login-reminder", "document-expiring", "document-rejected", "provider-rejected": self = .account
        case _ where text.hasPrefix("provider-verified"): self = .account
        default: return nil
        }
    }
}
