import {
  dayBefore,
  minorUnitDecimals,
  type dailyTotals,
  type DailyTotal,
  type ErrorCode,
  type LedgerAmount,
} from '@causeway/contracts'
import {
  amountInUnit,
  dayChart,
  definitionList,
  emptyState,
  filterForm,
  html,
  selectField,
  submit,
  table,
  type Html,
} from '../design/index.ts'
import type { Reply } from '../screen.ts'
import { amountOf, drawnAmount, sumUp, type Group, type Sums } from './groups.ts'

const PERIODS = [7, 30, 90] as const
const DEFAULT_PERIOD = 30

/** Reads totals from a day on. */
export type ReadTotals = (
  query: Readonly<{ since: string }>,
) => Promise<Reply<(typeof dailyTotals)['listByMerchant']>>

type Overview = Readonly<{
  /** Path of the page, for its filter. */
  path: string
  query: URLSearchParams
  now: Date
  read: ReadTotals
}>

/** Number of days that the page shows. */
export const periodOf = (query: URLSearchParams): number =>
  PERIODS.find((days) => String(days) === query.get('days')) ?? DEFAULT_PERIOD

/** Units by number of totals, the most used first. */
const unitsOf = (totals: readonly DailyTotal[]): string[] => {
  const counts = new Map<string, number>()
  for (const { unit } of totals) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([unit]) => unit)
}

/** An amount as it is shown: positive for money that left the owners, except in the groups that have both signs. */
const shownAmount = (sums: Sums, group: Group, unit: string): LedgerAmount =>
  amountOf(group === 'received' || group === 'other' ? sums[group] : -sums[group], unit)

const PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'always',
})

/** Compares with the period before. Nothing if there is nothing to compare with. */
const changeOf = (now: number | bigint, before: number | bigint, days: number): Html | false => {
  const [current, former] = [Number(now), Number(before)]
  return (
    former !== 0 &&
    html`<span class="hint"
      >${PERCENT.format((current - former) / Math.abs(former))} on the ${days} days before</span
    >`
  )
}

const GROUP_WORDS: Readonly<Record<Group, string>> = {
  received: 'Received',
  refunded: 'Refunded',
  disputed: 'Disputed',
  fees: 'Fees',
  paid_out: 'Paid out',
  other: 'Splits, conversions and adjustments',
}
const GROUPS = Object.keys(GROUP_WORDS) as Group[]

const summary = (current: Sums, former: Sums, unit: string, days: number): Html => {
  const shown = GROUPS.filter((group) => group !== 'other' || current.other !== 0n)
  return definitionList([
    {
      term: 'Payments',
      value: html`${current.payments.toLocaleString('en')}
      ${changeOf(current.payments, former.payments, days)}`,
    },
    ...shown.map((group) => ({
      term: GROUP_WORDS[group],
      value: html`${amountInUnit(shownAmount(current, group, unit), unit)}
      ${group !== 'other' && changeOf(current[group], former[group], days)}`,
    })),
  ])
}

type Day = Readonly<{ day: string; sums: Sums }>

const byDay = (unit: string, rows: readonly Day[]): Html =>
  html`<details class="sheet">
    <summary>Figures by day</summary>
    ${table({
      caption: 'Figures by day, newest first',
      columns: [
        { heading: 'Day (UTC)', cell: ({ day }) => day },
        { heading: 'Payments', cell: ({ sums }) => sums.payments.toLocaleString('en'), isNumber: true },
        ...GROUPS.map((group) => ({
          heading: GROUP_WORDS[group],
          cell: ({ sums }: Day) => amountInUnit(shownAmount(sums, group, unit), unit),
          isNumber: true,
        })),
      ],
      rows: [...rows].reverse(),
      empty: 'No days.',
    })}
  </details>`

const axisFormat = (unit: string): ((value: number) => string) => {
  const [network = unit, asset] = unit.split('/')
  const short = { notation: 'compact', maximumFractionDigits: 2 } as const
  const format =
    asset === undefined
      ? new Intl.NumberFormat('en', {
          style: 'currency',
          currency: network,
          minimumFractionDigits: 0,
          ...short,
        })
      : new Intl.NumberFormat('en', { ...short, maximumFractionDigits: 6 })
  return (value) => format.format(value)
}

const charts = async (unit: string, days: readonly Day[]): Promise<Html> => {
  const decimals = minorUnitDecimals(unit) ?? 0
  // A day on which more came back than went is drawn as zero; the table has it.
  const drawn = (group: Group) =>
    days.map(({ sums }) => {
      const value = drawnAmount(sums[group], unit, decimals)
      return Math.max(0, group === 'received' ? value : -value)
    })
  const common = { days: days.map(({ day }) => day), format: axisFormat(unit) }
  const main = (title: string, group: Group) =>
    dayChart({ ...common, title, series: [{ name: title, tone: 'main', values: drawn(group) }] })
  return html`${await main('Received', 'received')}
  ${await dayChart({
    ...common,
    title: 'Refunds and disputes',
    series: [
      { name: 'Refunded', tone: 'main', values: drawn('refunded') },
      { name: 'Disputed', tone: 'second', values: drawn('disputed') },
    ],
  })}
  ${await main('Fees', 'fees')}`
}

const choice = (path: string, units: readonly string[], unit: string, period: number): Html =>
  filterForm(
    path,
    html`${selectField({ name: 'unit', label: 'Unit', value: unit, options: units.map((value) => ({ value, text: value })) })}
      ${selectField({
        name: 'days',
        label: 'Period',
        value: String(period),
        options: PERIODS.map((days) => ({ value: String(days), text: `${days} days` })),
      })}
      <p class="actions">${submit('Show', 'quiet')}</p>`,
  )

/** Shows what was received, refunded, disputed and charged by day, in one unit, with the period before. */
export const showOverview = async ({
  path,
  query,
  now,
  read,
}: Overview): Promise<Readonly<{ ok: true; main: Html }> | Readonly<{ ok: false; code: ErrorCode }>> => {
  const period = periodOf(query)
  const reply = await read({ since: dayBefore(now, 2 * period - 1) })
  if (!reply.ok) return reply
  const { totals } = reply.value
  const units = unitsOf(totals)
  const unit = units.find((each) => each === query.get('unit')) ?? units[0]
  if (unit === undefined)
    return { ok: true, main: emptyState('No figures yet. They begin with the first payment.') }
  const first = dayBefore(now, period - 1)
  const ofUnit = totals.filter((total) => total.unit === unit)
  const current = ofUnit.filter(({ day }) => day >= first)
  const days = Array.from({ length: period }, (_, index) => dayBefore(now, period - 1 - index)).map(
    (day) => ({
      day,
      sums: sumUp(current.filter((total) => total.day === day)),
    }),
  )
  const former = sumUp(ofUnit.filter(({ day }) => day < first))
  return {
    ok: true,
    main: html`${choice(path, units, unit, period)}
      <p>
        ${first} to ${dayBefore(now, 0)}. Days are in UTC; today is incomplete. The figures are those of the
        books.
      </p>
      <section class="sheet" aria-label="Sums">${summary(sumUp(current), former, unit, period)}</section>
      ${await charts(unit, days)} ${byDay(unit, days)}`,
  }
}
