/// The media type that a file's name tells.
enum MediaType {
    static func of(_ name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return known[ASCII.lowercased(String(name[name.index(after: dot)...]))] ?? "application/octet-stream"
    }

    private static let known = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "map": "application/json",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "xml": "application/xml", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/vnd.microsoft.icon",
        "woff2": "font/woff2", "wasm": "application/wasm", "pdf": "application/pdf",
    ]
}
