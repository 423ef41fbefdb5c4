extension DispatchService {
    static let recordedReads = [
        "/dispatch/v1/markets/{market}/desk": "desk",
        "/dispatch/v1/markets/{market}/calendar": "calendar",
        "/dispatch/v1/markets/{market}/clients": "clients",
        "/dispatch/v1/markets/{market}/bikes/out": "bikes out",
        "/dispatch/v1/orders/{id}/partners": "partners",
    ]
}
