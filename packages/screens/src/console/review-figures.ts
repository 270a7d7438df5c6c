import { dayBefore, reviews, type ReviewFigures } from '@causeway/contracts'
import { dayChart, definitionList, html, notice, table, time, type Html } from '../design/index.ts'
import type { StaffRequest } from './frame.ts'

const HOUR = 60
const DAY = 24 * HOUR
const DURATION = new Intl.DurationFormat('en', { style: 'long' })

/** Spells a wait by its two largest units; at least a minute. */
export const waitText = (minutes: number | null): string => {
  if (minutes === null) return 'unknown'
  const [days, hours, rest] = [
    Math.floor(minutes / DAY),
    Math.floor((minutes % DAY) / HOUR),
    Math.max(minutes < 1 ? 1 : 0, minutes % HOUR),
  ]
  return DURATION.format(days > 0 ? { days, hours } : { hours, minutes: rest })
}

const byDay = (days: ReviewFigures['days']): Html =>
  html`<details class="sheet">
    <summary>Decisions by day</summary>
    ${table({
      caption: 'Decisions by day, newest first',
      columns: [
        { heading: 'Day (UTC)', cell: ({ day }) => day },
        { heading: 'Approved', cell: ({ approved }) => approved.toLocaleString('en'), isNumber: true },
        { heading: 'Rejected', cell: ({ rejected }) => rejected.toLocaleString('en'), isNumber: true },
        { heading: 'Median wait', cell: ({ waited_minutes: minutes }) => waitText(minutes) },
      ],
      rows: [...days].reverse(),
      empty: 'No decisions.',
    })}
  </details>`

/** Renders the decisions on cases by day, how long cases waited for them, and the queue. */
export const reviewFigures = async ({ ask }: StaffRequest, period: number, now: Date): Promise<Html> => {
  const reply = await ask(reviews.getFigures, { query: { since: dayBefore(now, period - 1) } })
  const title = html`<h2>Reviews of cases</h2>`
  if (!reply.ok)
    return html`${title} ${notice('warning', 'The reviews cannot be shown now.', 'Load the page again.')}`
  const { days, waited_minutes: minutes, waiting } = reply.value
  const known = new Map(days.map((each) => [each.day, each]))
  const shown = Array.from({ length: period }, (_, index) => dayBefore(now, period - 1 - index))
  const valuesOf = (decision: 'approved' | 'rejected') => shown.map((day) => known.get(day)?.[decision] ?? 0)
  return html`${title}
    <section class="sheet" aria-label="Reviews">
      ${definitionList([
        {
          term: 'Waiting now',
          value: html`${waiting.cases.toLocaleString('en')}
          ${waiting.since !== null && html`<span class="hint">the oldest since ${time(waiting.since)}</span>`}`,
        },
        ...(days.length === 0 ? [] : [{ term: 'Median wait', value: waitText(minutes) }]),
      ])}
    </section>
    ${
      days.length > 0 &&
      html`${await dayChart({
        title: 'Decisions',
        days: shown,
        series: [
          { name: 'Approved', tone: 'main', values: valuesOf('approved') },
          { name: 'Rejected', tone: 'second', values: valuesOf('rejected') },
        ],
        // A case is not decided in parts.
        format: (value) => (Number.isInteger(value) ? value.toLocaleString('en') : ''),
      })}
      ${byDay(days)}`
    }`
}
