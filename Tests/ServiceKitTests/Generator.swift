import TestKit

extension SeededGenerator {
    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func text(_ count: ClosedRange<Int>, from alphabet: String) -> String {
        let characters = Array(alphabet)
        return String(
            (0..<Int.random(in: count, using: &self)).map { _ in
                characters[Int.random(in: 0..<characters.count, using: &self)]
            })
    }
}
