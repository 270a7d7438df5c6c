import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { dailyTotals, dayBefore, DEFAULT_TOTAL_DAYS, MAX_TOTAL_DAYS } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import * as store from './store.ts'

type Query = Readonly<{ since?: string | undefined; until?: string | undefined; unit?: string | undefined }>
type Period = Readonly<{ since: string; until: string; units: string[] }>

const periodOf = ({ since, until, unit }: Query, now: Date): Period => {
  const last = until ?? now.toISOString().slice(0, 10)
  return {
    since: since ?? dayBefore(new Date(last), DEFAULT_TOTAL_DAYS - 1),
    until: last,
    units: unit === undefined ? [] : [unit],
  }
}

const refuseSince = (expected: string) =>
  refuse('invalid_request', [{ field: 'since', reason: 'invalid_value', expected }])

const answer = async (
  query: Query,
  now: Date,
  list: (period: Period) => Promise<readonly store.TotalRow[]>,
) => {
  const period = periodOf(query, now)
  if (period.since > period.until) return refuseSince(`a day up to ${period.until}`)
  const first = dayBefore(new Date(period.until), MAX_TOTAL_DAYS - 1)
  if (period.since < first) return refuseSince(`at most ${MAX_TOTAL_DAYS} days: ${first} or later`)
  const rows = await list(period)
  return reply({ totals: rows.map((row) => ({ ...row, amount: presentAmount(row.unit, row.amount) })) })
}

/** `ledger.daily-totals` (decisions §60). */
export const dailyTotalOperations = (db: Db): Implementation[] =>
  implement(dailyTotals, {
    list: ({ caller: { partnerId }, query, now }) =>
      answer(query, now, (period) => store.listOfPartner(db, { partnerId, ...period })),

    listByMerchant: ({ caller: { merchantId }, query, now }) =>
      answer(query, now, (period) => store.listOfMerchant(db, { merchantId, ...period })),

    listOfPlatform: ({ query, now }) => answer(query, now, (period) => store.listOfPlatform(db, period)),

    listOfPartner: ({ params: { partnerId }, query, now }) =>
      answer(query, now, (period) => store.listOfPartner(db, { partnerId, ...period })),

    listOfMerchant: ({ params: { customerId: merchantId }, query, now }) =>
      answer(query, now, (period) => store.listOfMerchant(db, { merchantId, ...period })),
  })
