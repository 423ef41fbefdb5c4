import Foundation

/// Finds phone numbers and e-mail addresses in what people write, also where they are written so that a program would
/// not see them: digits of other scripts, digits with spaces between, `name at mail dot com`.
enum ContactWords {
    /// Shorter runs of digits are prices, doors and times.
    static let minimumDigits = 8
    static let maximumDigits = 15
    /// Between two digits of one number; more end it.
    private static let maximumSeparators = 3
    private static let separators: Set<Character> = [
        " ", "-", ".", "(", ")", "/", "_", "*", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}",
        "،", ",", "\n", "\t",
    ]
    /// Top-level domains that are looked for where dot and sign are written as words.
    private static let domains: Set<String> = [
        "com", "net", "org", "sa", "se", "au", "ca", "edu", "gov", "io", "me", "co", "info", "de", "uk",
    ]
    private static let atWords: Set<String> = ["@", "(at)", "[at]", "{at}", "at", "آت", "ات"]
    private static let dotWords: Set<String> = [".", "(dot)", "[dot]", "{dot}", "dot", "دوت", "نقطة", "نقطه"]

    static func areIn(_ text: String) -> Bool { hasPhoneNumber(text) || hasAddress(text) }

    // MARK: Phone numbers

    static func hasPhoneNumber(_ text: String) -> Bool {
        var run = ""
        var gap = 0
        for character in text {
            if let digit = digit(character) {
                run += gap > 0 ? "-\(digit)" : "\(digit)"
                gap = 0
            } else if !run.isEmpty, gap < maximumSeparators, separators.contains(character) {
                gap += 1
            } else {
                if isPhoneNumber(run) { return true }
                run = ""
                gap = 0
            }
        }
        return isPhoneNumber(run)
    }

    /// - Parameter run: digits, with a hyphen where something stood between.
    private static func isPhoneNumber(_ run: String) -> Bool {
        let groups = withoutDates(run.split(separator: "-").map(String.init))
        // Thousands are written in groups of three after a first one of at most three: 1,250,000.
        let isAmount =
            groups.count > 1 && groups[0].count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 }
            && groups[0].first != "0" && groups.joined().count <= 9
        let count = groups.joined().count
        return !isAmount && (minimumDigits...maximumDigits).contains(count)
    }

    /// Without days such as 2026-03-14 and 14/3/2026.
    private static func withoutDates(_ groups: [String]) -> [String] {
        var (rest, index) = ([String](), 0)
        while index < groups.count {
            let three = groups[index...].prefix(3).map(\.count)
            let isDay =
                three.count == 3 && three[1] <= 2 && (three[0] == 4 && three[2] <= 2 || three[0] <= 2 && three[2] == 4)
            if isDay {
                index += 3
            } else {
                rest.append(groups[index])
                index += 1
            }
        }
        return rest
    }

    /// 0…9 for a decimal digit of any script.
    private static func digit(_ character: Character) -> Int? {
        guard character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first,
            scalar.properties.generalCategory == .decimalNumber
        else { return nil }
        return scalar.properties.numericValue.map { Int($0) }
    }

    // MARK: E-mail addresses

    static func hasAddress(_ text: String) -> Bool {
        let parts = parts(text.lowercased())
        for (index, part) in parts.enumerated() where atWords.contains(part.word) {
            guard index > 0, isName(parts[index - 1].word) else { continue }
            if isDomain(parts[(index + 1)...], isSign: part.word == "@") { return true }
        }
        return false
    }

    private struct Part {
        let word: String
        /// Whether white space stands before it.
        let isApart: Bool
    }

    /// Words, the signs `@` and `.`, and words in brackets.
    private static func parts(_ text: String) -> [Part] {
        var parts: [Part] = []
        var (word, isApart, isAfterSpace) = ("", true, true)
        func end() {
            if !word.isEmpty { parts.append(Part(word: word, isApart: isApart)) }
            word = ""
        }
        func add(_ character: Character) {
            if word.isEmpty { (isApart, isAfterSpace) = (isAfterSpace, false) }
            word.append(character)
        }
        for character in text {
            if character.isWhitespace {
                end()
                isAfterSpace = true
            } else if character == "@" || character == "." {
                end()
                add(character)
                end()
            } else if "([{".contains(character) {
                end()
                add(character)
            } else {
                add(character)
                if ")]}".contains(character) { end() }
            }
        }
        end()
        return parts
    }

    private static func isName(_ word: String) -> Bool {
        word.allSatisfy { $0.isLetter || $0.isNumber || "._%+-".contains($0) } && !word.isEmpty
    }

    /// - Parameter isSign: whether it follows a real sign; then any domain counts, else only a known one.
    private static func isDomain(_ rest: ArraySlice<Part>, isSign: Bool) -> Bool {
        guard let host = rest.first, isName(host.word), !dotWords.contains(host.word) else { return false }
        let after = Array(rest.dropFirst().prefix(2))
        guard after.count == 2, dotWords.contains(after[0].word) else { return false }
        let top = after[1]
        if domains.contains(top.word) { return after[0].word != "." || !top.isApart || isSign }
        return isSign && !top.isApart && top.word.count >= 2 && top.word.allSatisfy(\.isLetter)
    }
}
