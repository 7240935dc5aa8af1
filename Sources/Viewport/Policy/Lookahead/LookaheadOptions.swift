/// The rules of `LookaheadPolicy`, each of which can be turned off, and its few constants.
///
/// The constants were chosen on generated traces of each kind, and of all kinds mixed, with seeds below 100, each within
/// a plateau where moderately larger or smaller values change the score little; others are held back to prove them
/// (`Scoreboard`). They are not fitted to a network: what depends on one is computed from its estimate.
package struct LookaheadOptions: Sendable, Hashable {
    /// Foresee where the scroll ends. Off: the present speed goes on for `blindHorizon`.
    package var foreseesLanding = true
    /// Order by the moment a cell is needed. Off: by distance from the viewport.
    package var ordersByDeadline = true
    /// Leave out what comes too late, or delays what matters more. Off: everything on the way is wanted.
    package var skipsFlyPast = true
    /// Keep transfers that are nearly done or near enough to be wanted again. Off: whatever is not wanted is cancelled.
    package var keepsNearlyDone = true
    /// Fetch behind as often as the person turns back. Off: only ahead.
    package var reservesForReversal = true
    /// Use idle time to fetch what the next gesture may show. Off: nothing beyond the landing.
    package var fillsIdleTime = true
    /// Always have the next rows ahead at rest. Off: only as far as the gestures so far went.
    package var keepsReserve = true
    /// Learn from the gestures so far what the next may be like. Off: the same guess each time.
    package var learnsHabits = true

    /// Speeds up to this, in CSS pixels a second, count as looking; beyond, as passing over. At 1500 a screen goes by in
    /// little more than half a second.
    package var legibleSpeed = Motion.legibleSpeed
    /// Milliseconds in view from which on something that flies past is recognised: half of a glance.
    package var glimpse = 100.0
    /// The expected wait, in milliseconds, that an item beyond the way must save to be worth its bytes: the probability
    /// of its being needed times what a screenful takes.
    package var leastSaving = 270.0
    /// How far ahead the next rows are, in screens: what UIKit has there, too.
    package var reserve = 0.75
    /// How far at most, where a wheel or a touchpad has lately gone as far: its momentum is as fast as it gets with its
    /// first samples, and nothing foretells it, as a finger that lands does.
    package var wheelReserve = 1.25
    /// How likely the next gesture is taken to look at them, at least, unless it turns back. The gestures so far may have
    /// been too short for that, or have passed over such rows, and say nothing about another kind of gesture.
    package var reserveChance = 0.7
    /// Milliseconds beyond which such a wait counts no more: by then the gesture is over.
    package var longestWait = 1000.0
    /// Least probability that a finger goes on as foreseen for an item on its way to be fetched.
    package var leastPathChance = 0.5
    /// The part of what an abort costs that the rest of a transfer may take longer than, to be finished though it is not
    /// wanted.
    package var abortShare = 0.5
    /// The part of a transfer that has come, plus the probability of its item being wanted again, that make it worth
    /// finishing.
    package var worthFinishing = 0.4
    /// The same while a scrollbar is dragged: few thumbs return to where they have just been.
    package var worthFinishingInDrag = 0.7
    /// Screens from the landing of a jump beyond which what was being fetched before is of another place.
    package var elsewhere = 2.0
    /// Milliseconds from one look to the next, at least, at whether the link has room for more than what is in view.
    package var lookAgain = 50.0
    /// How far ahead, in screens, is looked at all beside the landing.
    package var farthest = 3.0
    /// Milliseconds from a gesture's beginning until the first picture for it is asked for: two samples and the way.
    package var reaction = 50.0
    /// How far a gesture goes that has not been seen yet, in screens: the mean of an exponential distribution.
    package var imaginedReach = 1.2
    /// How many gestures ahead are looked at, times the probability of turning back; at least one is.
    package var lingering = 5.0
    /// How far a gesture that turns back goes at most, in screens, for the person to stay about a place.
    package var vicinity = 9.0
    /// How likely the first gesture after a jump goes upwards, at least.
    package var reversalAfterJump = 0.36
    /// Milliseconds for which the speed is taken to go on when the landing is not foreseen.
    package var blindHorizon = 400.0

    package init() {}
}
