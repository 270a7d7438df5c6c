/**
 * A flag's value.
 *
 * @throws where it is no whole number
 */
export const wholeNumber = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`${flag} takes a whole number, not ${text}`)
  return number
}

/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
