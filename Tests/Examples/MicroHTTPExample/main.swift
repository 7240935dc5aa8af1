import MicroHTTP

var router = Router()
router.on(.get, "/hello/{name}") { request in
    .now(Response(text: "Hello, \(request.parameter("name") ?? "")!\n"))
}
router.on(.get, "/events") { _ in
    .stream(EventStreamAccept { stream in stream.send(Event(name: "greeting", data: "Hello, stream!")) })
}

let server = Server(ServerConfiguration(), router)
print("Listening on http://127.0.0.1:\(try server.start())")
try await Task.sleep(for: .seconds(3600))
await server.shutdown()
