// The functions that libFuzzer calls with each input. See fuzz.sh.
import Foundation

/// The readers of the inputs.
private enum Target: String {
    /// Everything that reads a picture's file: header, facts, preview, download and rendering.
    case file
    /// The server's side of the workers' protocol. A malicious picture may control a worker.
    case replies
}

private let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(Target.init) ?? .file
/// Used by one thread only: libFuzzer has one.
nonisolated(unsafe) private let renderer: PictureRenderer = {
    var limits = RenderLimits()
    limits.maxPixels = 1_000_000
    return PictureRenderer(limits: limits)
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    switch target {
    case .file: readFile(bytes)
    case .replies: readReplies(bytes)
    }
    return 0
}

private func readFile(_ bytes: [UInt8]) {
    // The last byte chooses what the file itself does not say.
    let choice = Int(bytes.last ?? 0)
    _ = try? PictureHeader(bytes)
    var sources = FactSources()
    sources.head = FileHead(FilePieces(bytes))
    sources.sidecar = XMPMetadata(bytes)
    if let header = QuickTimeHeader(FilePieces(bytes)) { sources.video = (header, .mov) }
    sources.path = String(decoding: bytes.prefix(40), as: UTF8.self)
    _ = sources.facts(latestYear: 2027) { _ in 0 }
    // As a worker reads it: the beginning is there, and the rest is asked for.
    let beginning = Array(bytes.prefix(bytes.count * choice / 256))
    let file = FilePieces(beginning, count: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
    _ = renderer.preview(in: file) { beginning }
    _ = renderer.preview(inBeginning: beginning)
    let size = ThumbnailSize(width: 8 << (choice & 3), height: 8 << (choice >> 2 & 3))
    _ = PictureRenderer.excerpt(of: file, for: size)
    _ = VideoFile.place(in: file)
    var stop = ProgressiveStop(size: size)
    var rest = bytes[...]
    while !rest.isEmpty, !stop.isEnough, !stop.needsAll {
        stop.append(rest.prefix(1 + choice))
        rest = rest.dropFirst(1 + choice)
    }
    _ = try? renderer.render(bytes, size: size, options: RenderOptions(smallSide: 8, acceptsPartial: choice & 16 != 0))
}

private func readReplies(_ bytes: [UInt8]) {
    func reader() -> FrameReader { FrameReader(bytes) }
    var frame = reader()
    switch WorkerReply(&frame) {
    case .last, .part:
        var (thumbnail, preview, facts, report) = (frame, frame, frame, frame)
        _ = ThumbnailReply(&thumbnail)
        _ = PicturePreview(&preview)
        _ = facts.blob().flatMap(FactCoding.facts)
        _ = SandboxReport(&report)
    case .needs, nil: break
    }
    _ = FactCoding.facts(bytes)
}
