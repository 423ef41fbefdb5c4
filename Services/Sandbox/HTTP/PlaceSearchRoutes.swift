import Foundation
import Hummingbird

/// `/places/search` and `/places/reverse`: a place search in Nominatim's form over a fixed list.
struct PlaceSearchRoutes {
    private struct Found: Encodable {
        let place_id: Int
        let licence: String
        let lat: String
        let lon: String
        let name: String
        let display_name: String

        init(_ place: Gazetteer.Place, _ language: String) {
            place_id = place.id
            licence = Gazetteer.licence
            lat = String(place.latitude)
            lon = String(place.longitude)
            name = place.name
            display_name = place.displayName(in: language)
        }
    }

    func add(to router: Router<SandboxContext>) {
        let routes = router.group("places")
        routes.get("search") { request, _ in
            let query = request.uri.queryParameters
            let language = query["accept-language"].map(String.init) ?? "en"
            let isBounded = query["bounded"] == "1"
            let box = isBounded ? query["viewbox"].flatMap { Gazetteer.Box(String($0)) } : nil
            let limit = min(40, max(1, query["limit"].flatMap { Int($0) } ?? 10))
            let found = Gazetteer.find(query["q"].map(String.init) ?? "", within: box, limit: limit)
            return Response(json: try JSONEncoder().encode(found.map { Found($0, language) }))
        }
        routes.get("reverse") { request, _ in
            let query = request.uri.queryParameters
            guard let latitude = query["lat"].flatMap({ Double($0) }),
                let longitude = query["lon"].flatMap({ Double($0) })
            else { throw HTTPError(.badRequest, message: "lat and lon are wanted") }
            let language = query["accept-language"].map(String.init) ?? "en"
            guard let place = Gazetteer.nearest(latitude: latitude, longitude: longitude) else {
                return Response(json: try JSONEncoder().encode(["error": "Unable to geocode"]))
            }
            return Response(json: try JSONEncoder().encode(Found(place, language)))
        }
    }
}
