extension MarketSettings {
    /// The value of a setting, in the form of ``set(_:to:)``.
    public func text(of key: Key) -> String {
        switch key {
        case .acceptWindowSeconds: String(acceptWindowSeconds)
        case .paymentWindowSeconds: String(paymentWindowSeconds)
        case .arrivalWindowSeconds: String(arrivalWindowSeconds)
        case .completionWindowSeconds: String(completionWindowSeconds)
        case .confirmationWindowSeconds: String(confirmationWindowSeconds)
        case .commissionBasisPoints: String(commissionBasisPoints)
        case .finePerKilometre: String(finePerKilometre)
        case .searchRadiusMetres: String(searchRadiusMetres)
        case .speedMetresPerMinute: String(speedMetresPerMinute)
        case .nearbyMetres: String(nearbyMetres)
        case .subscriptionRequired: String(subscriptionRequired)
        case .tariffs: Self.text(of: tariffs)
        case .surge: surge.text
        case .quoteSeconds: String(quoteSeconds)
        case .paymentMethods: paymentMethods.joined(separator: ",")
        case .openingHours: openingHours.map(\.text) ?? "always"
        case .serviceArea: serviceArea.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
        case .merchantCommissionBasisPoints: String(merchantCommissionBasisPoints)
        case .fineBasisPointsToPlatform: String(fineBasisPointsToPlatform)
        case .fineDays: String(fineDays)
        case .noShowWaitSeconds: String(noShowWaitSeconds)
        case .decisionWindowSeconds: String(decisionWindowSeconds)
        case .searchWindowSeconds: String(searchWindowSeconds)
        case .offerWindowSeconds: String(offerWindowSeconds)
        case .assignmentWindowSeconds: String(assignmentWindowSeconds)
        case .deskWindowSeconds: String(deskWindowSeconds)
        case .deskWarningSeconds: String(deskWarningSeconds)
        case .visitWarningSeconds: String(visitWarningSeconds)
        case .depositWindowSeconds: String(depositWindowSeconds)
        case .preparationWindowSeconds: String(preparationWindowSeconds)
        case .retentionMonths: String(retentionMonths)
        case .phonePaymentWindowSeconds: String(phonePaymentWindowSeconds)
        case .startEarlySeconds: String(startEarlySeconds)
        case .cancellationFee: String(cancellationFee)
        case .startCodeRequired: String(startCodeRequired)
        case .presenceRadiusMetres: String(presenceRadiusMetres)
        case .openOrderLimit: String(openOrderLimit)
        case .cardHoldDays: String(cardHoldDays)
        case .dailyTopUpLimit: String(dailyTopUpLimit)
        case .dailyCashOutLimit: String(dailyCashOutLimit)
        case .secondApprovalAmount: String(secondApprovalAmount)
        case .deskTakesCash: String(deskTakesCash)
        case .supportPhone: supportPhone ?? Self.none
        case .supportEmail: supportEmail ?? Self.none
        case .talkAfterSeconds: String(talkAfterSeconds)
        case .firstReminderSeconds: String(firstReminderSeconds)
        case .lastReminderSeconds: String(lastReminderSeconds)
        case .parcelRates: Self.text(of: parcelRates)
        case .latePay: Self.text(of: latePay)
        case .currency: moneyText
        case .timeZone: timeZone
        case .languages: languages.joined(separator: ",")
        case .servicePrices: Self.text(ofPrices: servicePrices)
        }
    }

    /// - Parameter text: a whole number; `true` or `false`; `card,cash` for lists; `08:00-20:00` or `always` for hours;
    ///   `24.5,46.4 25.1,46.4 25.1,47.0` (latitude,longitude) for an area; for the currency as ``moneyText``.
    public mutating func set(_ key: Key, to text: String) throws(Refusal) {
        switch key {
        case .acceptWindowSeconds: acceptWindowSeconds = try Self.number(text, key, 1...86_400)
        case .paymentWindowSeconds: paymentWindowSeconds = try Self.number(text, key, 1...86_400)
        case .arrivalWindowSeconds: arrivalWindowSeconds = try Self.number(text, key, 1...604_800)
        case .completionWindowSeconds: completionWindowSeconds = try Self.number(text, key, 1...604_800)
        case .confirmationWindowSeconds: confirmationWindowSeconds = try Self.number(text, key, 1...604_800)
        case .commissionBasisPoints: commissionBasisPoints = try Self.number(text, key, 0...10_000)
        case .finePerKilometre: finePerKilometre = try Self.number(text, key, 0...1_000_000)
        case .searchRadiusMetres: searchRadiusMetres = try Self.number(text, key, 100...500_000)
        case .speedMetresPerMinute: speedMetresPerMinute = try Self.number(text, key, 10...3_000)
        case .nearbyMetres: nearbyMetres = try Self.number(text, key, 10...10_000)
        case .subscriptionRequired: subscriptionRequired = try Self.flag(text, key)
        case .tariffs: tariffs = try Self.tariffs(text, key)
        case .surge: surge = try Self.surge(text, key)
        case .quoteSeconds: quoteSeconds = try Self.number(text, key, 10...86_400)
        case .paymentMethods: paymentMethods = try Self.choices(text, of: Self.knownPaymentMethods, key)
        case .openingHours:
            if text == "always" {
                openingHours = nil
            } else if let hours = OpeningHours(text) {
                openingHours = hours
            } else {
                throw Refusal(key: key, allowed: "always, or HH:MM-HH:MM")
            }
        case .serviceArea: serviceArea = try Self.area(text, key)
        case .merchantCommissionBasisPoints: merchantCommissionBasisPoints = try Self.number(text, key, 0...10_000)
        case .fineBasisPointsToPlatform: fineBasisPointsToPlatform = try Self.number(text, key, 0...10_000)
        case .fineDays: fineDays = try Self.number(text, key, 1...365)
        case .noShowWaitSeconds: noShowWaitSeconds = try Self.number(text, key, 1...86_400)
        case .decisionWindowSeconds: decisionWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .searchWindowSeconds: searchWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .offerWindowSeconds: offerWindowSeconds = try Self.number(text, key, 1...3_600)
        case .assignmentWindowSeconds: assignmentWindowSeconds = try Self.number(text, key, 1...604_800)
        case .deskWindowSeconds: deskWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .deskWarningSeconds: deskWarningSeconds = try Self.number(text, key, 1...86_400)
        case .visitWarningSeconds: visitWarningSeconds = try Self.number(text, key, 60...604_800)
        case .depositWindowSeconds: depositWindowSeconds = try Self.number(text, key, 1...86_400)
        case .preparationWindowSeconds: preparationWindowSeconds = try Self.number(text, key, 1...86_400)
        case .retentionMonths: retentionMonths = try Self.number(text, key, 3...120)
        case .phonePaymentWindowSeconds: phonePaymentWindowSeconds = try Self.number(text, key, 1...2_592_000)
        case .startEarlySeconds: startEarlySeconds = try Self.number(text, key, 0...86_400)
        case .cancellationFee: cancellationFee = try Self.number(text, key, 0...1_000_000)
        case .startCodeRequired: startCodeRequired = try Self.flag(text, key)
        case .presenceRadiusMetres: presenceRadiusMetres = try Self.number(text, key, 30...10_000)
        case .openOrderLimit: openOrderLimit = try Self.number(text, key, 1...1_000)
        case .cardHoldDays: cardHoldDays = try Self.number(text, key, 0...365)
        case .dailyTopUpLimit: dailyTopUpLimit = try Self.number(text, key, 0...1_000_000_000)
        case .dailyCashOutLimit: dailyCashOutLimit = try Self.number(text, key, 0...1_000_000_000)
        case .secondApprovalAmount: secondApprovalAmount = try Self.number(text, key, 0...1_000_000_000)
        case .deskTakesCash: deskTakesCash = try Self.flag(text, key)
        case .supportPhone: supportPhone = try Self.phone(text, key)
        case .supportEmail: supportEmail = try Self.email(text, key)
        case .talkAfterSeconds: talkAfterSeconds = try Self.number(text, key, 0...2_592_000)
        case .firstReminderSeconds: firstReminderSeconds = try Self.number(text, key, 0...604_800)
        case .lastReminderSeconds: lastReminderSeconds = try Self.number(text, key, 0...604_800)
        case .parcelRates: parcelRates = try Self.parcelRates(text, key)
        case .latePay: latePay = try Self.latePay(text, key)
        case .currency: self = try withMoney(text)
        case .timeZone: timeZone = try Self.zone(text, key)
        case .languages: languages = try Self.choices(text, of: Self.knownLanguages, key)
        case .servicePrices: servicePrices = try Self.prices(text, key)
        }
    }

    private static func number(_ text: String, _ key: Key, _ range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let value = Int(plain: text), range.contains(value) else {
            throw Refusal(key: key, allowed: "\(range.lowerBound)...\(range.upperBound)")
        }
        return value
    }

    private static func choices(_ text: String, of known: [String], _ key: Key) throws(Refusal) -> [String] {
        let chosen = text.split(separator: ",").map(String.init)
        guard !chosen.isEmpty, Set(chosen).count == chosen.count, Set(known).isSuperset(of: chosen) else {
            throw Refusal(key: key, allowed: "\(known.joined(separator: ", ")), separated by commas")
        }
        return chosen
    }

    /// Of a contact that the market does not have.
    private static let none = "none"

    /// The form alone; whether there is such a number is looked at where an admin types it.
    private static func phone(_ text: String, _ key: Key) throws(Refusal) -> String? {
        if text == none { return nil }
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw Refusal(key: key, allowed: "none, or a phone number such as +966112345678") }
        return text
    }

    private static func email(_ text: String, _ key: Key) throws(Refusal) -> String? {
        if text == none { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !#"<>(),;:"\[]"#.utf8.contains($0) }
        guard isPlain, text.utf8.count <= 254, parts.count == 2, (1...64).contains(parts[0].utf8.count),
            parts[1].split(separator: ".", omittingEmptySubsequences: false).count >= 2,
            !parts[1].split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty)
        else { throw Refusal(key: key, allowed: "none, or an e-mail address such as help@example.com") }
        return text
    }

    private static func flag(_ text: String, _ key: Key) throws(Refusal) -> Bool {
        guard let flag = Bool(text) else { throw Refusal(key: key, allowed: "true or false") }
        return flag
    }

    private static func area(_ text: String, _ key: Key) throws(Refusal) -> [Coordinate] {
        let refusal = Refusal(
            key: key,
            allowed:
                "3 to 200 corners LATITUDE,LONGITUDE separated by spaces, whose edges enclose a surface and do not cross"
        )
        var corners: [Coordinate] = []
        for corner in text.split(separator: " ") {
            let texts = corner.split(separator: ",", omittingEmptySubsequences: false)
            let parts = texts.compactMap { Double(plain: $0) }
            guard texts.count == 2, parts.count == 2, (-90...90).contains(parts[0]), (-180...180).contains(parts[1])
            else {
                throw refusal
            }
            corners.append(Coordinate(latitude: parts[0], longitude: parts[1]))
        }
        guard (3...200).contains(corners.count), ServiceArea(corners: corners).isSimple else { throw refusal }
        return corners
    }
}
