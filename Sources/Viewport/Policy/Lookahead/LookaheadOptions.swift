/// Rules of `LookaheadPolicy`, each of which can be turned off, and its few constants.
///
/// The constants were chosen on generated traces with seeds below 100, of each kind and of all kinds mixed. Each constant lies
/// on a plateau where moderately larger or smaller values change the score little. Other seeds are held back to verify the
/// constants (`Scoreboard`). The constants are not fitted to a network: values that depend on the network are computed from its
/// estimate.
package struct LookaheadOptions: Sendable, Hashable {
    /// Predict where the scroll ends. If off, the present speed is assumed to last for `blindHorizon`.
    package var foreseesLanding = true
    /// Order items by the time when they are needed. If off, by distance from the viewport.
    package var ordersByDeadline = true
    /// Leave out items that arrive too late or delay more valuable ones. If off, every item along the scroll is wanted.
    package var skipsFlyPast = true
    /// Keep transfers that are nearly done, or near enough to be wanted again. If off, every unwanted transfer is cancelled.
    package var keepsNearlyDone = true
    /// Fetch behind in proportion to how often the person turns back. If off, only ahead.
    package var reservesForReversal = true
    /// Use idle time to fetch items that the next gesture may show. If off, nothing beyond the landing is fetched.
    package var fillsIdleTime = true
    /// Always have the next rows ahead ready at rest. If off, only as far as earlier gestures went.
    package var keepsReserve = true
    /// Learn from earlier gestures how the next one may be. If off, the guess is the same each time.
    package var learnsHabits = true

    /// Maximum speed, in CSS pixels a second, at which the person counts as looking at the content. At 1500 a screen passes in
    /// little more than half a second.
    package var legibleSpeed = Motion.legibleSpeed
    /// Minimum time in view for a passing picture to be recognised, in milliseconds: half of a glance.
    package var glimpse = 100.0
    /// Expected wait, in milliseconds, that an item beyond the landing must save to be worth its bytes: the probability that
    /// the item is needed times the fetch time of a screenful.
    package var minimumSaving = 270.0
    /// Distance ahead within which rows count as next, in screens. UIKit uses the same value.
    package var reserve = 0.75
    /// Maximum of the same distance, in screens, if a wheel or touchpad gesture recently went that far. Its momentum is fastest
    /// in its first samples, and nothing announces it as a landing finger announces a fling.
    package var wheelReserve = 1.25
    /// Minimum probability that the next gesture shows the next rows, unless it turns back. Earlier gestures may have been too
    /// short or may have passed over such rows, and say nothing about another kind of gesture.
    package var reserveChance = 0.7
    /// Maximum wait that counts towards `minimumSaving`, in milliseconds. The gesture is over before a longer wait ends.
    package var longestWait = 1000.0
    /// Minimum probability that a finger moves on as predicted for an item along the scroll to be fetched.
    package var minimumPathChance = 0.5
    /// Share of the cost of an abort. An unwanted transfer is finished if the rest of it takes less time than this share.
    package var abortShare = 0.5
    /// Minimum sum of two values for a transfer to be finished: the received part, and the probability that its item is wanted
    /// again.
    package var worthFinishing = 0.4
    /// The same minimum while a scrollbar is dragged. Few thumbs return to where they have just been.
    package var worthFinishingInDrag = 0.7
    /// Distance from the landing of a jump, in screens, beyond which a running transfer belongs to the place before the jump.
    package var elsewhere = 2.0
    /// Minimum time between checks whether the link has room for more than the visible items, in milliseconds.
    package var recheckInterval = 50.0
    /// Maximum distance ahead that the policy considers, in screens, counted from the viewport and from the landing.
    package var farthest = 3.0
    /// Time from the beginning of a gesture to the first request for it, in milliseconds: two samples and the time to send
    /// them.
    package var reaction = 50.0
    /// Mean length of a gesture that has not been seen yet, in screens. The length is exponentially distributed.
    package var imaginedReach = 1.2
    /// Gestures to look ahead beyond the first one: this factor times the probability of turning back above
    /// `Habits.unmeasuredReversal`.
    package var lingering = 5.0
    /// Maximum length of a gesture that turns back, in screens, for the person to count as staying around one place.
    package var vicinity = 9.0
    /// Time for which the speed is assumed to last if the landing is not predicted, in milliseconds.
    package var blindHorizon = 400.0

    package init() {}
}
