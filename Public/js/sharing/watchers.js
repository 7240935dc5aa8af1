// The texts about the people who follow this session.

/**
 * @typedef {object} Audience
 * @property {{item: number, prefetching: boolean}[]} followers First visible item of each follower, and whether prefetching is on there.
 * @property {{prefetching: boolean, followers: number, visibleTime: number, blankTime: number}[]} [halves] Sums over the followers with
 * prefetching and over those without; missing unless prefetching is off for half of them.
 */

/**
 * Returns `Ada is watching`, `Ada and 2 others are watching` or `3 people are watching`; '' if there are no followers.
 * @param {{count: number, names: string[]}} followers `names` has the names of those who gave one.
 */
export function watchersInWords({ count, names }) {
  if (!count) return ''
  const others = count - Math.min(2, names.length)
  const unnamed = !names.length ? (count === 1 ? '1 person' : `${count} people`) : others === 1 ? '1 other' : others ? `${others} others` : ''
  const all = [...names.slice(0, 2), unnamed].filter(Boolean)
  const list = all.length > 2 ? `${all[0]}, ${all[1]} and ${all[2]}` : all.join(' and ')
  return `${list} ${count === 1 ? 'is' : 'are'} watching`
}

/**
 * Returns how many followers are near and far: `1 is where you are, 2 are further down`; '' if no places are known.
 * @param {Audience['followers']} followers
 * @param {{from: number, to: number}} visible The items that the presenter sees.
 */
export function placesInWords(followers, { from, to }) {
  const places = ['where you are', 'further up', 'further down']
  const placeOf = ({ item }) => (item < from ? 1 : item < to ? 0 : 2)
  const counts = places.map((_, place) => followers.filter((follower) => placeOf(follower) === place).length)
  return places.flatMap((place, index) => counts[index] ? `${counts[index]} ${counts[index] === 1 ? 'is' : 'are'} ${place}` : []).join(', ')
}
