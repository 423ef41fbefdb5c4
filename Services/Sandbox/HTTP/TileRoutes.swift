import Hummingbird

/// `/tiles/ZOOM/X/Y.svg`: plain tiles of a map, each with its name and a few streets, so that maps can be looked at without a
/// tile server.
struct TileRoutes {
    func add(to router: Router<SandboxContext>) {
        router.get("tiles/{z}/{x}/{y}") { _, context in
            let parameters = context.parameters
            let row = try parameters.require("y").split(separator: ".").first.flatMap { Int($0) }
            guard let zoom = Int(try parameters.require("z")), (0...22).contains(zoom), let row,
                let column = Int(try parameters.require("x")), (0..<1 << zoom).contains(column),
                (0..<1 << zoom).contains(row)
            else { throw HTTPError(.notFound) }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "image/svg+xml", .accessControlAllowOrigin: "*",
                    .cacheControl: "public, max-age=86400",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: Self.drawing(zoom, column, row))))
        }
    }

    /// Streets that go on in the tiles beside and below, since they depend on the column or the row alone.
    private static func drawing(_ zoom: Int, _ column: Int, _ row: Int) -> String {
        let (across, down) = (40 + row % 5 * 40, 40 + column % 7 * 26)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">
            <rect width="256" height="256" fill="#eef0ea"/>
            <path d="M0 \(across)H256M\(down) 0V256" stroke="#fff" stroke-width="14"/>
            <path d="M0 .5H256M.5 0V256" stroke="#dcdfd6"/>
            <text x="8" y="248" font-family="sans-serif" font-size="11" fill="#8a8f80">\(zoom)/\(column)/\(row)</text>
            </svg>
            """
    }
}
