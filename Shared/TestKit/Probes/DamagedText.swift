extension SeededGenerator {
    /// A text in which a byte, or a few in a row, are taken out, put in, changed or repeated, one to three times.
    /// - Parameter marks: of what is put in, beside a few bytes that no text has.
    public mutating func damaged(_ body: [UInt8], with marks: String) -> [UInt8] {
        var body = body
        let marks = Array(marks.utf8) + [0x00, 0x0a, 0x7f, 0xc3, 0xff]
        for _ in 0..<Int.random(in: 1...3, using: &self) where !body.isEmpty {
            let start = Int.random(in: body.indices, using: &self)
            let end = min(body.count, start + Int.random(in: 1...12, using: &self))
            switch Int.random(in: 0..<5, using: &self) {
            case 0: body.removeSubrange(start..<end)
            case 1: body.insert(marks.randomElement(using: &self) ?? 0, at: start)
            case 2: body[start] = marks.randomElement(using: &self) ?? 0
            case 3: body.insert(contentsOf: body[start..<end], at: start)
            default: body.removeSubrange(end...)
            }
        }
        return body
    }
}
