import { jsonBytes } from '@causeway/chassis'

/** The first items, as many as fit; possibly none. */
export const takeFitting = <T>(items: readonly T[], maxBytes: number): T[] => {
  const taken: T[] = []
  let left = maxBytes
  for (const item of items) {
    left -= jsonBytes(item) + 1
    if (left < 0) break
    taken.push(item)
  }
  return taken
}
