const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** `300ms`, `6s`, `15m`, `10h` → milliseconds. */
export const parseDurationMs = (text: string): number => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim())
  if (!match) throw new Error('must be a duration like 300ms, 6s, 15m or 10h')
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
}

export const parseDurationFrom = (text: string, minMs: number): number => {
  const ms = parseDurationMs(text)
  if (ms < minMs) throw new Error(`must be at least ${minMs / UNITS.h}h`)
  return ms
}

type Range = Readonly<{ min: number; max: number }>

/** Every reader throws what is wrong with the text, without repeating the text: it may be a secret. */
export const parseNumber = (text: string, range: Range, whole: boolean): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (
    !Number.isFinite(value) ||
    (whole && !Number.isInteger(value)) ||
    value < range.min ||
    value > range.max
  )
    throw new Error(`must be ${whole ? 'an integer' : 'a number'} from ${range.min} to ${range.max}`)
  return value
}

export const parseUrl = (text: string, protocols: readonly string[]): string => {
  const url = URL.parse(text)
  if (!url || !protocols.includes(url.protocol))
    throw new Error(`must be a URL (${protocols.join(' or ')}//…)`)
  return text.replace(/\/+$/, '')
}

export const parseOrigin = (text: string): string => {
  const url = new URL(parseUrl(text, ['http:', 'https:']))
  const { pathname, search, hash, username } = url
  if (pathname !== '/' || search !== '' || hash !== '' || username !== '')
    throw new Error('must be an origin, such as https://pay.example.com, without a path, query or user')
  return url.origin
}

export const parseKey = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32) throw new Error('must be 32 bytes in base64')
  return bytes
}

/** One entry of the setting BUS_KEYS: the key that seals the requests of `sender` to `receiver`. */
export type BusKey = Readonly<{ sender: string; receiver: string; key: Buffer }>

export const parseBusKeys = (text: string): BusKey[] =>
  text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const [, sender = '', receiver = '', key = ''] =
        /^([a-z]+)>([a-z]+)=([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? []
      if (sender === '') {
        const pair = /^[a-z]+>[a-z]+(?==)/.exec(entry)?.[0] ?? `entry ${index + 1}`
        throw new Error(`${pair} must be like gateway>payments=<32 bytes in base64>`)
      }
      return { sender, receiver, key: Buffer.from(key, 'base64') }
    })
