/// The facts of a picture, as the API returns them.
public struct PictureFacts: Sendable, Hashable {
    /// The source of a date; the best come first.
    public enum DateSource: String, Sendable, CaseIterable {
        case sidecar, exif, xmp, iptc, quicktime, gps, name, file
    }

    /// How the local time of a date that was given in UTC was found.
    public enum OffsetSource: String, Sendable, CaseIterable {
        /// The file's name has the local time: it differs from UTC by whole quarter hours.
        case name
        /// The time zone of the server.
        case server
    }

    public struct Camera: Sendable, Hashable {
        /// As the camera writes them; `nil` where it does not.
        public var make: String?
        public var model: String?
        public var lens: String?

        public init(make: String? = nil, model: String? = nil, lens: String? = nil) {
            self.make = make
            self.model = model
            self.lens = lens
        }
    }

    public struct Exposure: Sendable, Hashable {
        public var seconds: Double?
        /// The f-number.
        public var aperture: Double?
        public var iso: Int?
        /// Millimetres.
        public var focalLength: Double?

        public init(seconds: Double? = nil, aperture: Double? = nil, iso: Int? = nil, focalLength: Double? = nil) {
            self.seconds = seconds
            self.aperture = aperture
            self.iso = iso
            self.focalLength = focalLength
        }
    }

    public struct Location: Sendable, Hashable {
        /// Degrees, -90 ... 90, to seven places: a centimetre.
        public var latitude: Double
        /// Degrees, -180 ... 180, to seven places.
        public var longitude: Double
        /// Metres above the sea, to a millimetre.
        public var altitude: Double?

        public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
            self.latitude = (latitude * 1e7).rounded() / 1e7
            self.longitude = (longitude * 1e7).rounded() / 1e7
            self.altitude = altitude.map { ($0 * 1e3).rounded() / 1e3 }
        }
    }

    /// Where the short video is that belongs to a picture.
    public enum Motion: String, Sendable, CaseIterable {
        /// In the picture's own file, behind it: Google's motion photos.
        case embedded
        /// In a file beside it with this ending: Apple's Live Photos.
        case mov, mp4
    }

    public var taken: DateTaken?
    /// `nil` where ``taken`` is.
    public var takenSource: DateSource?
    /// `nil` if the date was given in local time.
    public var offsetSource: OffsetSource?
    public var camera = Camera()
    public var exposure = Exposure()
    public var location: Location?
    public var description: String?
    /// 0 ... 5 stars.
    public var rating: Int?
    /// Pixels of the upright picture.
    public var width: Int?
    public var height: Int?
    /// The media type of the original: `image/jpeg`.
    public var mediaType: String?
    /// Of the original.
    public var bytes: Int?
    /// Seconds that a video plays.
    public var duration: Double?
    /// `nil` for a picture that stands still.
    public var motion: Motion?
    /// Names of the files beside it that are the same picture, and are not shown by themselves.
    public var pairedWith: [String] = []
    /// When the picture came here, seconds since 1970: of a file, when it was last written.
    public var added: Int64?

    public init() {}
}
