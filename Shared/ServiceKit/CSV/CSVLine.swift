/// Lines of comma-separated values (RFC 4180) that a spreadsheet displays and never computes.
///
/// A text that a spreadsheet could take for a formula gets a leading apostrophe: when it begins with `=`, `+`, `-`,
/// `@`, one of their full-width forms, or white space that spreadsheets drop. The same applies after a separator inside
/// a text: where the decimal sign is a comma, spreadsheets separate by semicolons and ignore the quotes.
public enum CSVLine {
    public enum Cell: Hashable, Sendable {
        /// A text of a person or of another service; nil for an empty cell.
        case text(String?)
        /// A number of our own.
        case number(Int?)
    }

    /// For the beginning of a file; without it spreadsheets do not read Arabic.
    public static let byteOrderMark = "\u{FEFF}"

    private static let dangerous: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
    private static let quoted: Set<Unicode.Scalar> = ["\"", ",", ";", "|", "\t", "\r", "\n"]
    private static let separators: Set<Unicode.Scalar> = [",", ";", "|", "\t", "\r", "\n"]

    /// The line with its line end.
    public static func text(_ cells: [Cell]) -> String {
        cells.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ cell: Cell) -> String {
        switch cell {
        case .number(let number): number.map(String.init) ?? ""
        case .text(let text): field(text ?? "")
        }
    }

    /// Works on scalars, because a combining mark after a sign or a quote must not hide it.
    private static func field(_ text: String) -> String {
        let harmless = harmless(text)
        guard harmless.contains(where: quoted.contains) else { return String(harmless) }
        var field = String.UnicodeScalarView()
        for scalar in harmless {
            field.append(contentsOf: scalar == "\"" ? [scalar, scalar] : [scalar])
        }
        return "\"" + String(field) + "\""
    }

    private static func harmless(_ text: String) -> String.UnicodeScalarView {
        var harmless = String.UnicodeScalarView()
        // At the beginning of what a spreadsheet may take for a cell; white space and quotes do not end it.
        var isAtStart = true
        for scalar in text.unicodeScalars {
            if isAtStart, dangerous.contains(scalar) {
                harmless.append("'")
                isAtStart = false
            }
            harmless.append(scalar)
            if separators.contains(scalar) {
                isAtStart = true
            } else if scalar != "\"", !scalar.properties.isWhitespace, scalar.properties.generalCategory != .format {
                isAtStart = false
            }
        }
        return harmless
    }
}
