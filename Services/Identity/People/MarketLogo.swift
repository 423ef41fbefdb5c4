import Contracts

/// A market's logo, drawn from its name and id alone.
enum MarketLogo {
    static func svg(of market: Market) -> String {
        let name = market.name.text(in: "en")
        let letter = name.first(where: \.isLetter).map { String($0).uppercased() } ?? "•"
        let hue = market.id.unicodeScalars.reduce(0) { ($0 * 31 + Int($1.value)) % 360 }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img">\
            <rect width="128" height="128" rx="24" fill="hsl(\(hue),55%,38%)"/>\
            <text x="64" y="88" font-family="sans-serif" font-size="72" text-anchor="middle" fill="#fff">\(letter)</text>\
            </svg>
            """
    }
}
