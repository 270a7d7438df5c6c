import { formatMinorUnits, minorUnitDecimals } from '@causeway/contracts'
import { html, type Html, type Part } from './html.ts'
import { ENGLISH } from '../languages/language.ts'
import { statusTag, type Tone } from './notice.ts'

export type Fact = Readonly<{ term: string; value: Part }>

/** A list of terms with their values. */
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

/** A timeline in chronological order. @param moments `at` in ISO 8601 */
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

/** Formats a time in English, in UTC. @param at ISO 8601 */
export const time = (at: string): Html => ENGLISH.time(at)

/** Formats a fiat amount in English. @param amount plain decimal */
export const fiat = (amount: string, currency: string): string => ENGLISH.fiat(amount, currency)

/** Formats a fiat amount given in minor units (ISO 4217). */
export const fiatOfMinorUnits = (amountCents: number, currency: string): string => {
  const digits = minorUnitDecimals(currency) ?? 2
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(formatMinorUnits(amountCents, currency) as `${number}`)
}

/** Formats a crypto amount, with the network if the asset does not imply it. */
export const cryptoAmount = (amount: string, asset: string, network: string): string =>
  asset === network ? `${amount} ${asset}` : `${amount} ${asset} on ${network}`

/** Formats an amount of the books: minor units of a currency, or the decimal number of an asset on a network. */
export const amountInUnit = (amount: number | string, unit: string): string => {
  if (typeof amount === 'number') return fiatOfMinorUnits(amount, unit)
  const [network = unit, asset = network] = unit.split('/')
  return cryptoAmount(amount, asset, network)
}

/** A status tag with the label and tone that `words` assigns to the status. */
export const taggedStatus = <S extends string>(
  words: Readonly<Record<S, readonly [tone: Tone, text: string]>>,
  status: S,
): Html => {
  const [tone, text] = words[status]
  return statusTag(tone, text)
}
