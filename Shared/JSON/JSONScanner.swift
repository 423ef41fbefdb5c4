/// A value, or a member's name, in a scanned text.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `true`, `false`, wholeNumber, number, text, escapedText, name, escapedName, object, array
    }

    let kind: Kind
    /// The content's first byte: of a text that behind the quote.
    let start: UInt32
    /// The byte behind the content.
    var end: UInt32
    /// The token behind the value.
    var next: UInt32
    /// The name of an object at which the next search begins: fields are mostly read in the order in which they were
    /// written.
    var cursor: UInt32
}

/// Checks a whole text in one pass and lists its tokens.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSON.Limits
    private var place = 0
    private var values = 0
    private var tokens: [JSONToken] = []
    /// Hashes of the names of the open objects.
    private var hashes: [UInt32] = []

    static func scan(_ text: [UInt8], _ limits: JSON.Limits) throws(JSONSyntaxError) -> [JSONToken] {
        guard text.count < Int32.max else { throw JSONSyntaxError(offset: 0) }
        return try text.withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in
            var scanner = JSONScanner(bytes: bytes, limits: limits)
            try scanner.value(depth: 0)
            scanner.skipSpace()
            guard scanner.place == bytes.count else { throw scanner.malformed }
            return scanner.tokens
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSON.Limits) {
        self.bytes = bytes
        self.limits = limits
        tokens.reserveCapacity(bytes.count / 12 + 4)
    }

    private var malformed: JSONSyntaxError { JSONSyntaxError(offset: place) }
    /// Zero at the end; no token begins with it.
    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func add(_ kind: JSONToken.Kind, from start: Int, to end: Int) {
        let next = UInt32(truncatingIfNeeded: tokens.count + 1)
        tokens.append(
            JSONToken(
                kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), next: next,
                cursor: next))
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) {
        values += 1
        guard values <= limits.values else { throw malformed }
        skipSpace()
        switch next {
        case UInt8(ascii: "\""):
            try text(.text, .escapedText)
        case UInt8(ascii: "{"):
            guard depth < limits.depth else { throw malformed }
            try object(depth: depth + 1)
        case UInt8(ascii: "["):
            guard depth < limits.depth else { throw malformed }
            try array(depth: depth + 1)
        case UInt8(ascii: "t"): try word("true", .true)
        case UInt8(ascii: "f"): try word("false", .false)
        case UInt8(ascii: "n"): try word("null", .null)
        default: try number()
        }
    }

    // MARK: Structure

    private mutating func object(depth: Int) throws(JSONSyntaxError) {
        let (index, firstHash) = (tokens.count, hashes.count)
        add(.object, from: place, to: place)
        place += 1
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard next == UInt8(ascii: "\"") else { throw malformed }
                try text(.name, .escapedName)
                skipSpace()
                guard take(UInt8(ascii: ":")) else { throw malformed }
                try value(depth: depth)
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw malformed }
        }
        end(index)
        try checkNames(of: index, firstHash)
        hashes.removeSubrange(firstHash...)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) {
        let index = tokens.count
        add(.array, from: place, to: place)
        place += 1
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            repeat {
                try value(depth: depth)
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw malformed }
        }
        end(index)
    }

    private mutating func end(_ index: Int) {
        tokens[index].end = UInt32(truncatingIfNeeded: place)
        tokens[index].next = UInt32(truncatingIfNeeded: tokens.count)
    }

    /// - Throws: for a name that occurs twice in an object.
    private func checkNames(of object: Int, _ firstHash: Int) throws(JSONSyntaxError) {
        let count = hashes.count - firstHash
        guard count > 1 else { return }
        // Large objects, equal hashes and escapes, which the hash does not see through, need the names themselves.
        var needsNames = count > 64
        if !needsNames {
            for index in (firstHash + 1)..<hashes.count where !needsNames {
                for other in firstHash..<index where hashes[other] == hashes[index] || hashes[index] == 0 {
                    needsNames = true
                }
            }
            needsNames = needsNames || hashes[firstHash] == 0
        }
        guard needsNames else { return }
        var names: Set<String> = []
        var index = object + 1
        while index < tokens[object].next {
            let name = tokens[index]
            let content = bytes[Int(name.start)..<Int(name.end)]
            let text =
                name.kind == .escapedName
                ? JSONText.unescaped(ArraySlice(content)) : String(decoding: content, as: UTF8.self)
            guard names.insert(text).inserted else { throw JSONSyntaxError(offset: Int(name.start)) }
            index = Int(tokens[index + 1].next)
        }
    }

    // MARK: Values

    private mutating func text(_ plain: JSONToken.Kind, _ escaped: JSONToken.Kind) throws(JSONSyntaxError) {
        place += 1
        let start = place
        var (hasEscape, isASCII) = (false, true)
        var hash: UInt32 = 2_166_136_261
        while true {
            guard place < bytes.count else { throw malformed }
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20 else { throw malformed }
            if byte == UInt8(ascii: "\\") {
                hasEscape = true
                try escape()
                continue
            }
            if byte >= 0x80 { isASCII = false }
            hash = (hash ^ UInt32(byte)) &* 16_777_619
            place += 1
        }
        guard plain != .name || place - start <= limits.nameBytes else { throw JSONSyntaxError(offset: start) }
        let content = bytes[start..<place]
        if !isASCII && String(validating: content, as: UTF8.self) == nil { throw JSONSyntaxError(offset: start) }
        let kind = hasEscape ? escaped : plain
        // Zero stands for a name with escapes.
        if plain == .name { hashes.append(hasEscape ? 0 : max(hash, 1)) }
        add(kind, from: start, to: place)
        place += 1
    }

    private mutating func escape() throws(JSONSyntaxError) {
        place += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            place += 1
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            guard (0xd800..<0xe000).contains(first) else { return }
            // The two halves of a character outside the basic plane.
            guard first < 0xdc00, take(UInt8(ascii: "\\")), next == UInt8(ascii: "u") else { throw malformed }
            guard (0xdc00..<0xe000).contains(try codeUnit()) else { throw malformed }
        default: throw malformed
        }
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
        place += 1
        guard let unit = JSONText.codeUnit(bytes[min(place, bytes.count)...]) else { throw malformed }
        place += 4
        return unit
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    private mutating func number() throws(JSONSyntaxError) {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        add(isWhole ? .wholeNumber : .number, from: start, to: place)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = place
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { place += 1 }
        guard place > start else { throw malformed }
    }

    private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONSyntaxError) {
        let start = place
        for index in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[index]) { throw malformed }
        add(kind, from: start, to: place)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x0a, 0x0d, 0x09: place += 1
            default: return
            }
        }
    }
}
