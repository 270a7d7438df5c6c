import { formatMinorUnits, minorUnitDecimals } from '@causeway/contracts'
import { html, type Html, type Part } from './html.ts'
import { statusTag, type Tone } from './notice.ts'

export type Fact = Readonly<{ term: string; value: Part }>

/** What is known of one thing, as terms with their values. */
export const definitionList = (facts: readonly Fact[]): Html => html`
  <dl>
    ${facts.map(
      ({ term, value }) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>
`

export type Moment = Readonly<{ at: string; title: string; text?: Part; tone?: Tone }>

/** What happened, in order of time. @param moments `at` in ISO 8601 */
export const timeLine = (label: string, moments: readonly Moment[]): Html => html`
  <ol class="time-line" aria-label="${label}">
    ${moments.map(
      ({ at, title, text, tone = 'neutral' }) =>
        html`<li class="${tone}">
          ${time(at)}
          <p class="title">${title}</p>
          ${text !== undefined && html`<p>${text}</p>`}
        </li>`,
    )}
  </ol>
`

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A moment for people, in UTC: two who speak of it read the same. @param at ISO 8601 */
export const time = (at: string): Html =>
  html`<time datetime="${at}">${FORMAT.format(new Date(at))} UTC</time>`

/** An amount of fiat for people, in English. @param amount plain decimal */
export const fiat = (amount: string, currency: string): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: Math.min(minorUnitDecimals(currency) ?? 2, 2),
  }).format(amount as `${number}`)

/** An amount of fiat for people, from minor units (ISO 4217). */
export const fiatOfMinorUnits = (amountCents: number, currency: string): string => {
  const digits = minorUnitDecimals(currency) ?? 2
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(formatMinorUnits(amountCents, currency) as `${number}`)
}

/** A status that has its own words and tone. */
export const taggedStatus = <S extends string>(
  words: Readonly<Record<S, readonly [tone: Tone, text: string]>>,
  status: S,
): Html => {
  const [tone, text] = words[status]
  return statusTag(tone, text)
}
