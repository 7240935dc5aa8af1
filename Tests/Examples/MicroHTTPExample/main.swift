import MicroHTTP

var router = Router()
router.on(.get, "/hello/{name}") { request in
    .text("Hello, \(request.parameter("name") ?? "")!\n")
}
router.on(.get, "/events") { _ in
    .stream(.events { stream in stream.send(Event(name: "greeting", data: "Hello, stream!")) })
}
try await Server(router).run { port in print("Listening on http://127.0.0.1:\(port)") }
