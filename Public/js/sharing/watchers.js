// The text about the people who follow this session.

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
