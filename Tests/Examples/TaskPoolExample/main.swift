import TaskPool

let (finished, continuation) = AsyncStream.makeStream(of: String.self)
let pool = TaskPool(
    fetch: { (name: String) in "bytes of \(name)" },  // download, or throw
    render: { bytes in "thumbnail of the \(bytes)" },  // decode and scale
    onFinished: { name, result in continuation.yield("\(name): \(result)") })
pool.want(visible: ["a.jpg"], ahead: ["b.jpg"], session: SessionID(1))
for await line in finished.prefix(2) { print(line) }
await pool.shutdown()
