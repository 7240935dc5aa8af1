import Media
import Numbers

extension FactFile {
    func write(to frame: inout FrameWriter) {
        frame.text(path)
        frame.number(Int(modified))
        for part in [head, xmp, takeout] { frame.number(part?.count ?? -1) }
        frame.number(videos.count)
        for video in videos {
            frame.number(video.part.count)
            frame.text(video.motion.rawValue)
        }
    }

    /// - Parameter descriptors: start with the descriptors of this file. The initializer removes them.
    init?(_ frame: inout FrameReader, _ descriptors: inout ArraySlice<Int32>) {
        func part(_ count: Int, _ descriptors: inout ArraySlice<Int32>) -> Part? {
            guard count >= 0, let descriptor = descriptors.popFirst() else { return nil }
            return Part(descriptor: descriptor, count: count)
        }
        guard let path = frame.text(), let modified = frame.number(),
            let length = frame.number(), let xmp = frame.number(), let takeout = frame.number(),
            let videos = frame.number(), let head = part(length, &descriptors)
        else { return nil }
        self.init(path: path, modified: Int64(modified), head: head)
        self.xmp = part(xmp, &descriptors)
        self.takeout = part(takeout, &descriptors)
        for _ in 0..<videos {
            guard let count = frame.number(), let motion = frame.text().flatMap(PictureFacts.Motion.init),
                let video = part(count, &descriptors)
            else { return nil }
            self.videos.append((video, motion))
        }
    }

    /// Writes a file's facts to a worker's response.
    static func write(_ facts: PictureFacts, to frame: inout FrameWriter) {
        frame.blob(FactCoding.bytes(facts))
        for text in [facts.camera.make, facts.camera.model, facts.camera.lens] { frame.text(text ?? "") }
    }

    private static let longestText = 16 << 10

    /// Reads this file's facts from a worker's response.
    func facts(_ frame: inout FrameReader) -> PictureFacts? {
        guard var facts = frame.blob().flatMap(FactCoding.facts) else { return nil }
        var camera: [String?] = []
        for _ in 0..<3 {
            guard let text = frame.text(), text.utf8.count <= Self.longestText else { return nil }
            camera.append(text.isEmpty ? nil : text)
        }
        facts.camera = PictureFacts.Camera(make: camera[0], model: camera[1], lens: camera[2])
        // These facts come from the file system.
        (facts.bytes, facts.added) = (head.count, Int64(clamping: (Double(modified) / 1e9).rounded(.down)))
        return facts
    }
}
