/// The rules of `LookaheadPolicy`, each of which can be turned off or tuned, so that its worth can be measured.
package struct LookaheadOptions: Sendable, Hashable {
    /// Foresee where the scroll ends. Off: the present speed goes on for `blindHorizon`.
    package var foreseesLanding = true
    /// Order by the moment a cell is needed. Off: by distance from the viewport.
    package var ordersByDeadline = true
    /// Leave out what will have flown past. Off: everything on the way is wanted.
    package var skipsFlyPast = true
    /// Keep transfers that are nearly done. Off: whatever is not wanted is cancelled.
    package var keepsNearlyDone = true
    /// Fetch behind as often as the person turns back. Off: only ahead.
    package var reservesForReversal = true
    /// Use idle time to fetch what the next gesture may show. Off: nothing beyond the landing.
    package var fillsIdleTime = true

    /// Speeds up to this, in CSS pixels a second, count as looking; beyond, as passing over.
    package var legibleSpeed = 1500.0
    /// What a cell is worth while it passes over, beside 1 while it is looked at.
    package var passingWorth = 0.4
    /// Least probability of being seen for an item to be fetched on suspicion.
    package var leastChance = 0.17
    /// How much of a transfer must have come for it to be worth finishing.
    package var nearlyDone = 0.3
    /// How far ahead, in screens, is looked at all.
    package var farthest = 3.0
    /// Milliseconds by which a picture may come too early while a finger moves the content.
    package var slack = 150.0
    package var slackShare = 0.15
    package var prior = 0.9
    /// Milliseconds from a gesture's beginning until the first picture for it is asked for: a sample and a half.
    package var reaction = 80.0
    package var pathChance = 0.5
    package var holdScale = 1.0
    package var restScale = 1.0
    /// How likely the first gesture after a jump goes upwards, at least.
    package var reversalAfterJump = 0.4
    /// By how much, as a share of the way left, the end of a dragged scrollbar's way is missed.
    package var aimError = 0.05
    /// Milliseconds for which the speed is taken to go on when the landing is not foreseen.
    package var blindHorizon = 400.0

    package init() {}
}
