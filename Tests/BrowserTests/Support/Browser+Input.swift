import JSON

/// Hands: wheel, keys, mouse and fingers.
extension Browser {
    /// Turns the wheel over the middle of the page, as a person's hand does: `turns` events of `delta` px.
    func wheel(by delta: Double, turns: Int = 1, x: Double = 600, y: Double = 450) async throws {
        let turn: JSON = [
            "type": "scroll", "x": .number(x), "y": .number(y), "deltaX": 0, "deltaY": .number(delta), "duration": 0,
            "origin": "viewport",
        ]
        try await act(["type": "wheel", "id": "wheel", "actions": .array(Array(repeating: turn, count: turns))])
    }

    /// Presses keys by their names in WebDriver's numbering, or as the characters they are.
    func press(_ keys: String..., holding modifier: String? = nil) async throws {
        var actions: [JSON] = []
        if let modifier { actions.append(["type": "keyDown", "value": .string(modifier)]) }
        for key in keys {
            actions.append(["type": "keyDown", "value": .string(key)])
            actions.append(["type": "keyUp", "value": .string(key)])
        }
        if let modifier { actions.append(["type": "keyUp", "value": .string(modifier)]) }
        try await act(["type": "key", "id": "keyboard", "actions": .array(actions)])
    }

    /// Holds a key down until it has come `times` times, as a keyboard repeats it: first after 300 ms, then every 33.
    func hold(_ key: String, times: Int) async throws {
        var actions: [JSON] = []
        for time in 0..<times {
            actions.append(["type": "keyDown", "value": .string(key)])
            actions.append(["type": "pause", "duration": time == 0 ? 300 : 33])
        }
        actions.append(["type": "keyUp", "value": .string(key)])
        try await act(["type": "key", "id": "keyboard", "actions": .array(actions)])
    }

    /// Moves a mouse or finger along points of the viewport with its button down, `pause` ms between two of them.
    func drag(_ points: [(x: Double, y: Double)], with kind: String = "mouse", pause: Int = 16) async throws {
        try await act(Self.finger(points, kind: kind, id: "one", pause: pause))
    }

    /// Moves a mouse along points of the viewport without a button, and leaves it there.
    func move(_ points: [(x: Double, y: Double)], pause: Int = 16) async throws {
        let moves: [JSON] = points.map { point in
            [
                "type": "pointerMove", "x": .number(point.x.rounded()), "y": .number(point.y.rounded()),
                "duration": .number(Double(pause)), "origin": "viewport",
            ]
        }
        try await act([
            "type": "pointer", "id": "one", "parameters": ["pointerType": "mouse"], "actions": .array(moves),
        ])
    }

    /// Two fingers at once.
    func pinch(_ first: [(x: Double, y: Double)], _ second: [(x: Double, y: Double)], pause: Int = 16) async throws {
        try await act(
            Self.finger(first, kind: "touch", id: "one", pause: pause),
            Self.finger(second, kind: "touch", id: "two", pause: pause))
    }

    func tap(x: Double, y: Double) async throws { try await drag([(x, y)], with: "touch") }

    /// Two taps in one, as fast as a double tap must be.
    func doubleTap(x: Double, y: Double, with kind: String = "touch") async throws {
        let tap: [JSON] = [["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0]]
        let move: JSON = [
            "type": "pointerMove", "x": .number(x.rounded()), "y": .number(y.rounded()), "duration": 0,
            "origin": "viewport",
        ]
        try await act([
            "type": "pointer", "id": "one", "parameters": ["pointerType": .string(kind)],
            "actions": .array([move] + tap + [["type": "pause", "duration": 60]] + tap),
        ])
    }

    private static func finger(_ points: [(x: Double, y: Double)], kind: String, id: String, pause: Int) -> JSON {
        func move(_ point: (x: Double, y: Double), _ duration: Int) -> JSON {
            [
                "type": "pointerMove", "x": .number(point.x.rounded()), "y": .number(point.y.rounded()),
                "duration": .number(Double(duration)), "origin": "viewport",
            ]
        }
        var actions: [JSON] = []
        if let first = points.first { actions = [move(first, 0), ["type": "pointerDown", "button": 0]] }
        for point in points.dropFirst() { actions.append(move(point, pause)) }
        actions.append(["type": "pointerUp", "button": 0])
        return [
            "type": "pointer", "id": .string(id), "parameters": ["pointerType": .string(kind)],
            "actions": .array(actions),
        ]
    }
}

/// Keys by name, as the WebDriver protocol numbers them.
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
    static let shift = "\u{E008}"
    static let control = "\u{E009}"
    static let escape = "\u{E00C}"
    static let pageUp = "\u{E00E}"
    static let pageDown = "\u{E00F}"
    static let end = "\u{E010}"
    static let home = "\u{E011}"
    static let left = "\u{E012}"
    static let up = "\u{E013}"
    static let right = "\u{E014}"
    static let down = "\u{E015}"
}
