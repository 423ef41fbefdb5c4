/// The place of a written member in an object whose members are sorted.
struct JSONMember {
    /// The place of the quote before the name.
    let start: Int
    /// The place of the quote after the name.
    let nameEnd: Int

    /// Sorts the members of an object that has no end yet.
    static func sort(_ members: ArraySlice<JSONMember>, in bytes: inout [UInt8], from start: Int) {
        let isSorted = zip(members, members.dropFirst()).allSatisfy { !precedes($1, $0, in: bytes) }
        guard !isSorted else { return }
        let end = bytes.count
        // A member ends before the comma of the next one.
        var parts: [(member: JSONMember, end: Int)] = []
        parts.reserveCapacity(members.count)
        for (index, member) in zip(members.indices, members) {
            let isLast = index == members.endIndex - 1
            parts.append((member, isLast ? end : members[index + 1].start - 1))
        }
        parts.sort { precedes($0.member, $1.member, in: bytes) }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(end - start)
        for part in parts {
            if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
            sorted.append(contentsOf: bytes[part.member.start..<part.end])
        }
        bytes.replaceSubrange(start..., with: sorted)
    }

    private static func precedes(_ left: JSONMember, _ right: JSONMember, in bytes: [UInt8]) -> Bool {
        bytes[(left.start + 1)..<left.nameEnd].lexicographicallyPrecedes(bytes[(right.start + 1)..<right.nameEnd])
    }
}
