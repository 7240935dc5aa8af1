import Media
import Synchronization

/// The cameras and lenses of pictures. Each pair of camera and lens has a small number, because any collection has only few.
final class Equipment: Sendable {
    private struct State {
        var items = [PictureFacts.Camera()]
        var numbers: [PictureFacts.Camera: UInt16] = [PictureFacts.Camera(): 0]
    }

    private let state = Mutex(State())

    /// Returns the number of a camera with its lens. 0 if neither is known or if there are too many.
    func number(of item: PictureFacts.Camera) -> UInt16 {
        state.withLock { state in
            if let number = state.numbers[item] { return number }
            guard let number = UInt16(exactly: state.items.count) else { return 0 }
            state.items.append(item)
            state.numbers[item] = number
            return number
        }
    }

    subscript(number: UInt16) -> PictureFacts.Camera {
        state.withLock { $0.items.indices.contains(Int(number)) ? $0.items[Int(number)] : PictureFacts.Camera() }
    }

    /// The names of all cameras and of all lenses, the first of each empty. `places` has the indices of camera and lens for each number.
    var names: (cameras: [String], lenses: [String], places: [(camera: UInt16, lens: UInt16)]) {
        var cameras = Names(), lenses = Names()
        let places = state.withLock { $0.items }.map { (cameras.place(of: $0.name), lenses.place(of: $0.lens ?? "")) }
        return (cameras.all, lenses.all, places)
    }

    private struct Names {
        var all = [""]
        private var places = ["": UInt16(0)]

        mutating func place(of name: String) -> UInt16 {
            if let place = places[name] { return place }
            let place = UInt16(clamping: all.count)
            all.append(name)
            places[name] = place
            return place
        }
    }
}

extension PictureFacts.Camera {
    /// Make and model in one name. The make is left out if the model begins with it.
    public var name: String {
        guard let make, !make.isEmpty else { return model ?? "" }
        guard let model, !model.isEmpty else { return make }
        let first = make.prefix { $0 != " " }
        return model.lowercased().hasPrefix(first.lowercased()) ? model : "\(make) \(model)"
    }
}
