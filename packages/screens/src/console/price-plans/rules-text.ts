import { formatMinorUnits, type PriceRule } from '@causeway/contracts'
import { readMinorUnits } from '../../money-input.ts'

/** How a rule is written, for hints and errors. */
export const RULE_FORM =
  'rail, kind, currency, percent, fixed amount and payer, for example: card any EUR 1.4% 0.25 merchant'

const LINE =
  /^(card|crypto) (any|order|payment_link) (any|[A-Z]{3}) (\d{1,3}(?:\.\d{1,2})?)% (\d+(?:\.\d+)?) (merchant|customer)$/

const readRule = (line: string): PriceRule | null => {
  const [, rail, kind, currency = '', percent, fixed = '', payer] = LINE.exec(line) ?? []
  const isAny = currency === 'any'
  const fixedCents = isAny ? (Number(fixed) === 0 ? 0 : null) : readMinorUnits(fixed, currency)
  if (fixedCents === null) return null
  return {
    rail: rail === 'crypto' ? 'crypto' : 'card',
    ...(kind !== 'any' && { kind: kind === 'order' ? 'order' : 'payment_link' }),
    percent: Number(percent),
    fixed_cents: fixedCents,
    ...(!isAny && { currency }),
    payer: payer === 'customer' ? 'customer' : 'merchant',
  }
}

/** Reads rules, one a line; amounts are in major units. @returns the number of the first line that is no rule, if any */
export const readRules = (text: string): readonly PriceRule[] | Readonly<{ badLine: number }> => {
  const rules: PriceRule[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().replace(/\s+/g, ' ')
    if (words === '') continue
    const rule = readRule(words)
    if (rule === null) return { badLine: at + 1 }
    rules.push(rule)
  }
  return rules
}

/** Writes a rule as {@link readRules} reads it. */
export const writeRule = ({ rail, kind, currency, percent, fixed_cents: fixed, payer }: PriceRule): string =>
  [
    rail,
    kind ?? 'any',
    currency ?? 'any',
    `${percent}%`,
    currency === undefined ? '0' : formatMinorUnits(fixed, currency),
    payer,
  ].join(' ')
