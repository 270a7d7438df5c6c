import { createHash } from 'node:crypto'

/** Where the examples begin: the anchor is shown as this time, all others as far from it as they were. */
const EPOCH = Date.parse('2026-11-21T09:00:00.000Z')

const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g
const DAY = /(?<="day":")20\d\d-\d\d-\d\d/g

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Letters that look random and are the same in every recording. */
const letters = (seed: string, alphabet: string, length: number): string =>
  Array.from({ length }, (_, index) => {
    const [byte = 0] = createHash('sha256').update(`${seed} ${index}`).digest()
    return alphabet.charAt(byte % alphabet.length)
  }).join('')

type Stable = Readonly<{ pattern: RegExp; stand: (seed: string, found: string) => string }>

/** Values that differ between recordings, and their replacements. */
const RANDOM: readonly Stable[] = [
  {
    pattern: /\b[a-z]{3}_0[0-9a-hjkmnp-tv-z]{25}\b/g,
    stand: (seed, found) => `${found.slice(0, 4)}01m8${letters(seed, BASE32, 22)}`,
  },
  {
    pattern: /\b(mk|staff)_[\w-]{43}/g,
    stand: (seed, found) => `${found.slice(0, found.indexOf('_'))}_${letters(seed, BASE64, 43)}`,
  },
  { pattern: /(?<="client_secret":")[\w-]{43}/g, stand: (seed) => letters(`secret ${seed}`, BASE64, 43) },
  { pattern: /(?<="next_cursor":")[\w-]+/g, stand: (seed) => letters(`cursor ${seed}`, BASE64, 60) },
  { pattern: /(?<="(x|y|kid)":")[\w-]{43}(?=")/g, stand: (seed) => letters(`point ${seed}`, BASE64, 43) },
  {
    pattern: /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
    stand: () => 'eyJhbGciOiJFUzI1NiJ9.eyJleHAiOjE3OTUwMDA5MDB9.c2lnbmVk',
  },
  {
    pattern: /\b0x[0-9a-f]{130}\b/g,
    stand: (seed) => `0x${letters(seed, '0123456789abcdef', 130)}`,
  },
  { pattern: /\b[0-9a-f]{64}\b/g, stand: (seed) => letters(seed, '0123456789abcdef', 64) },
  {
    pattern: /\b(sb[a-z])_[0-9a-f]{12,24}\b/g,
    stand: (seed, found) => `${found.slice(0, 4)}${letters(seed, '0123456789abcdef', found.length - 4)}`,
  },
  {
    pattern: /(?<=\/(pay|downloads)\/)[\w.-]+/g,
    stand: (seed) => letters(seed, BASE64, 32),
  },
  { pattern: /(?<=data:image\/png;base64,)[\w+/=]+/g, stand: () => 'iVBORw0KGgo=' },
]

/** Replaces each distinct value by one that depends on its kind and its place among these alone. */
const stabilise = (text: string, { pattern, stand }: Stable): string => {
  const known = new Map<string, string>()
  return text.replaceAll(pattern, (found) => {
    const kind = found.slice(0, 3)
    const stable = known.get(found) ?? stand(`${kind} ${known.size}`, found)
    known.set(found, stable)
    return stable
  })
}

const shiftTimes = (text: string, anchor: string): string => {
  const shifted = (time: string) => new Date(EPOCH + Date.parse(time) - Date.parse(anchor)).toISOString()
  return text
    .replaceAll(TIME, shifted)
    .replaceAll(DAY, (day) => shifted(`${day}${anchor.slice(10)}`).slice(0, 10))
}

type Run = Readonly<{
  /** A time of the run, as it was recorded. */
  anchor: string
  /** Addresses of the run, and their replacements. */
  addresses: Readonly<Record<string, string>>
}>

/** A recorded text with ids, times, secrets and addresses that do not depend on the run. */
export const withStableValues = (text: string, { anchor, addresses }: Run): string => {
  const named = Object.entries(addresses).reduce((part, [from, to]) => part.replaceAll(from, to), text)
  return RANDOM.reduce(stabilise, shiftTimes(named, anchor))
}
