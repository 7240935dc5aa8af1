import Viewport

/// Plays traces through the real viewport model and the real pool core in virtual time, and scores the result.
public enum Replay {
    /// The policy of a replay.
    public enum Player: Sendable, Hashable, CustomStringConvertible {
        case policy(PolicyName)
        /// Knows the whole trace, and fetches the item that is needed next. A better order may exist.
        case oracle

        /// Parses "oracle" or the name of a policy. `nil` if there is no such policy.
        public init?(_ name: String) {
            if name == "oracle" {
                self = .oracle
            } else if let policy = PolicyName(rawValue: name) {
                self = .policy(policy)
            } else {
                return nil
            }
        }

        /// Every policy, in the order of the registry, and the oracle.
        public static var all: [Player] { PolicyName.allCases.map(Player.policy) + [.oracle] }

        public var description: String {
            switch self {
            case .policy(let name): name.rawValue
            case .oracle: "oracle"
            }
        }
    }

    /// One line of the results.
    public struct Result: Sendable, Hashable {
        public var trace: String
        public var player: Player
        public var origin: Origin
        public var score: Score

        public init(trace: String, player: Player, origin: Origin, score: Score) {
            self.trace = trace
            self.player = player
            self.origin = origin
            self.score = score
        }
    }

    public static func run(_ trace: Trace, _ player: Player, _ origin: Origin) -> Score {
        play(PlayableTrace(trace), player, origin).score
    }

    public static func run(trace: Trace, policy: PolicyName, origin: Origin) -> Score {
        run(trace, .policy(policy), origin)
    }

    /// A long replay calls this function after each run.
    public typealias Progress = (_ done: Int, _ total: Int) -> Void

    /// Plays each trace at each origin with each player, in that order.
    public static func run(
        _ traces: [Trace], _ players: [Player], _ origins: [Origin], progress: Progress = { _, _ in }
    ) -> [Result] {
        var results: [Result] = []
        for trace in traces {
            let playable = PlayableTrace(trace)
            for origin in origins {
                for player in players {
                    let score = play(playable, player, origin).score
                    results.append(Result(trace: trace.name, player: player, origin: origin, score: score))
                    progress(results.count, traces.count * origins.count * players.count)
                }
            }
        }
        return results
    }

    /// Plays one trace with a model from the caller, for a policy with changed parts.
    package static func run(_ trace: Trace, _ origin: Origin, model: (any Layout, Size) -> ViewportModel) -> Score {
        let playable = PlayableTrace(trace)
        let chooser = PolicyChooser(model: model(playable.layout, trace.viewport), origin: origin)
        var simulator = Simulator(playable: playable, origin: origin, chooser: chooser)
        simulator.run()
        return simulator.tally.score
    }

    /// - Parameters:
    ///   - held: items whose pictures the page has already.
    ///   - record: an empty record to fill, or `nil`.
    package static func play(
        _ playable: PlayableTrace, _ player: Player, _ origin: Origin, held: [Int] = [], record: ScrollRecord? = nil
    ) -> (score: Score, record: ScrollRecord?) {
        func run(_ chooser: some Chooser) -> (Score, ScrollRecord?) {
            var simulator = Simulator(playable: playable, origin: origin, chooser: chooser, held: held, record: record)
            simulator.run()
            return (simulator.tally.score, simulator.record)
        }
        switch player {
        case .policy(let name):
            let model = ViewportModel(layout: playable.layout, viewport: playable.trace.viewport, policy: name)
            return run(PolicyChooser(model: model, origin: origin, held: held))
        case .oracle: return run(OracleChooser(playable: playable, origin: origin, held: held))
        }
    }
}
