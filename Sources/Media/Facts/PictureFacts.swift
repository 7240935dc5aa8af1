/// The facts of a picture, as the API returns them.
public struct PictureFacts: Sendable, Hashable {
    /// The source of a date, in order of precedence.
    public enum DateSource: String, Sendable, CaseIterable {
        case sidecar, exif, xmp, iptc, quicktime, gps, name, file
    }

    /// How the local time was found for a date that the source gives in UTC.
    public enum OffsetSource: String, Sendable, CaseIterable {
        /// The file's name contains the local time. It differs from UTC by whole quarters of an hour.
        case name
        /// The time zone of the server was used.
        case server
    }

    public struct Camera: Sendable, Hashable {
        /// The manufacturer's name as the camera writes it, or `nil` if it writes none.
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
        /// F-number.
        public var aperture: Double?
        public var iso: Int?
        /// In millimetres.
        public var focalLength: Double?

        public init(seconds: Double? = nil, aperture: Double? = nil, iso: Int? = nil, focalLength: Double? = nil) {
            self.seconds = seconds
            self.aperture = aperture
            self.iso = iso
            self.focalLength = focalLength
        }
    }

    public struct Location: Sendable, Hashable {
        /// In degrees, -90 ... 90, rounded to seven decimal places (about a centimetre).
        public var latitude: Double
        /// In degrees, -180 ... 180, rounded to seven decimal places.
        public var longitude: Double
        /// In metres above sea level, rounded to a millimetre.
        public var altitude: Double?

        public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
            self.latitude = (latitude * 1e7).rounded() / 1e7
            self.longitude = (longitude * 1e7).rounded() / 1e7
            self.altitude = altitude.map { ($0 * 1e3).rounded() / 1e3 }
        }
    }

    /// Location of the short video that belongs to a picture.
    public enum Motion: String, Sendable, CaseIterable {
        /// In the picture's file, after the picture, as in Google's motion photos.
        case embedded
        /// In a separate file with this extension, next to the picture, as in Apple's Live Photos.
        case mov, mp4
    }

    public var taken: DateTaken?
    /// Source of ``taken``. `nil` if ``taken`` is `nil`.
    public var takenSource: DateSource?
    /// `nil` if the source gives the date in local time.
    public var offsetSource: OffsetSource?
    public var camera = Camera()
    public var exposure = Exposure()
    public var location: Location?
    public var description: String?
    /// 0 ... 5 stars.
    public var rating: Int?
    /// Width of the upright picture in pixels.
    public var width: Int?
    public var height: Int?
    /// Media type of the original, such as `image/jpeg`.
    public var mediaType: String?
    public var bytes: Int?
    /// Duration of a video in seconds.
    public var duration: Double?
    /// `nil` if no short video belongs to the picture.
    public var motion: Motion?
    /// Names of neighbouring files that are the same picture and are not shown separately.
    public var pairedWith: [String] = []
    /// When the picture was added, in seconds since 1970. For a file, this is its last modification.
    public var added: Int64?

    public init() {}
}
