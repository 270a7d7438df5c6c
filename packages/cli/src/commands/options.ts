import { InvalidArgumentError, Option } from 'commander'

const MOST = 100_000

/** A whole number of an option. @throws InvalidArgumentError */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`Enter a whole number from ${least} to ${most}.`)
    return value
  }

/** `--limit` of a list. */
export const limitOption = (): Option =>
  new Option('--limit <n>', 'maximum number of rows').default(20).argParser(wholeNumber(1, MOST))

/** The first rows of a list, read page by page. */
export const take = async <Row>(rows: AsyncIterable<Row>, limit: number): Promise<Row[]> => {
  const taken: Row[] = []
  for await (const row of rows) {
    taken.push(row)
    if (taken.length >= limit) break
  }
  return taken
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Milliseconds of `72h`, `90m` or `1d12h`. @throws InvalidArgumentError */
export const duration = (text: string): number => {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new InvalidArgumentError('Enter a duration such as 72h, 90m, 30s or 1d12h.')
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
}

/** Where a feed begins: after an event, or with the events since a time. */
export type FeedStart = Readonly<{ after: string } | { since: string }>

/** Start of a feed: `evt_…`, a time, or a duration before now. @throws InvalidArgumentError */
export const feedStart = (text: string): FeedStart => {
  if (text.startsWith('evt_')) return { after: text }
  if (/^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))) return { since: new Date(text).toISOString() }
  if (/^\d+[a-z]/.test(text))
    return { since: new Date(performance.timeOrigin + performance.now() - duration(text)).toISOString() }
  throw new InvalidArgumentError(
    'Enter an event id, a time such as 2026-11-30T08:00:00Z, or a duration such as 24h.',
  )
}

/** Hundredths of an amount such as `40` or `40.50`. @throws InvalidArgumentError */
export const amountCents = (text: string): number => {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError('Enter an amount such as 40 or 40.50.')
  return Math.round(Number(text) * 100)
}

type Split = Readonly<{ partner_customer_id: string; amount_cents: number }>

/** Adds a share such as `pcu_…=12.50` to those before it. @throws InvalidArgumentError */
export const splitOf = (text: string, before: Split[] = []): Split[] => {
  const [, receiver, amount] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (receiver === undefined || amount === undefined)
    throw new InvalidArgumentError('Enter a customer and an amount such as pcu_…=12.50.')
  return [...before, { partner_customer_id: receiver, amount_cents: amountCents(amount) }]
}
