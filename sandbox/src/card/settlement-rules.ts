import { minorUnitDecimals } from '@causeway/contracts'
import type { OriginalAmount, SettlementKind, SettlementLine } from '@causeway/rails/settlements'
import { SandboxError } from '../http/answers.ts'
import { DISPUTE_FEE } from './disputes.ts'

/** A movement of money at a processor since the last settlement. */
export type SettlementEvent = Readonly<{
  kind: SettlementKind
  paymentId: string
  orderKey: string
  /** Signed. */
  grossCents: number
  currency: string
}>

export const SETTLEMENT_FAULTS = [
  'missing',
  'doubled',
  'unknown_order',
  'amount',
  'currency',
  'fee',
  'sum',
] as const
/** A mistake of the processor. No order: the first payment of the period, else its first line. */
export type SettlementFault = Readonly<{
  kind: (typeof SETTLEMENT_FAULTS)[number]
  orderKey: string | null
}>

/** The only currency of the account, and what one unit of other currencies is in it, as decimal numbers. */
export type AccountCurrency = Readonly<{ currency: string; rates: Readonly<Record<string, string>> }>

/** A line before it is paid out. */
type Line = Omit<SettlementLine, 'payoutRef'> & Readonly<{ orderKey: string }>
export type Payout = Readonly<{ payoutRef: string; currency: string; amountCents: number }>
export type Settlement = Readonly<{ lines: readonly SettlementLine[]; payouts: readonly Payout[] }>

type Options = Readonly<{
  newId: (prefix: 'sst' | 'sbo' | 'sbp') => string
  /** YYYY-MM-DD */
  availableOn: string
  /** Null: each currency is settled in itself, as those without a rate are. */
  account: AccountCurrency | null
}>

/** Converts minor units, rounded half away from 0. */
const convertCents = (cents: number, rate: string, from: string, to: string): number => {
  const [whole = '', fraction = ''] = rate.split('.')
  const product = BigInt(Math.abs(cents)) * BigInt(whole + fraction)
  const decimals = fraction.length + (minorUnitDecimals(from) ?? 2) - (minorUnitDecimals(to) ?? 2)
  const scale = 10n ** BigInt(Math.abs(decimals))
  const converted = decimals < 0 ? product * scale : (2n * product + scale) / (2n * scale)
  return cents < 0 ? 0 - Number(converted) : Number(converted)
}

type Settled = Readonly<{ grossCents: number; currency: string; original: OriginalAmount | null }>

const settle = ({ grossCents, currency }: SettlementEvent, account: AccountCurrency | null): Settled => {
  const rate = account?.rates[currency]
  if (account === null || rate === undefined || currency === account.currency)
    return { grossCents, currency, original: null }
  return {
    grossCents: convertCents(grossCents, rate, currency, account.currency),
    currency: account.currency,
    original: { cents: grossCents, currency, rate },
  }
}

/** 1.4 % and 25 minor units of a payment, rounded half up; refunds are free. */
const paymentFee = (grossCents: number): number => Math.floor((grossCents * 14 + 500) / 1_000) + 25

const linesOf = (event: SettlementEvent, { newId, availableOn, account }: Options): Line[] => {
  const { kind, paymentId, orderKey } = event
  const line = (of: SettlementKind, settled: Settled, fee: number): Line => ({
    ...{ lineId: newId('sst'), kind: of, processorOrderId: paymentId, orderKey, availableOn },
    ...{ ...settled, feeCents: fee, netCents: settled.grossCents - fee },
  })
  const settled = settle(event, account)
  if (kind === 'payment') return [line(kind, settled, paymentFee(settled.grossCents))]
  if (kind !== 'dispute') return [line(kind, settled, 0)]
  const { cents, currency } = DISPUTE_FEE
  if (settled.currency === currency) return [line(kind, settled, cents)]
  return [line(kind, settled, 0), line('fee', { grossCents: 0, currency, original: null }, cents)]
}

const otherCurrency = (currency: string): string => (currency === 'USD' ? 'EUR' : 'USD')

/** Another amount and another currency: of a converted line those before the conversion. */
const wrongAmount = ({ original, grossCents, netCents }: Line): Partial<Line> =>
  original === null
    ? { grossCents: grossCents + 1, netCents: netCents + 1 }
    : { original: { ...original, cents: original.cents + 1 } }
const wrongCurrency = ({ original, currency }: Line): Partial<Line> =>
  original === null
    ? { currency: otherCurrency(currency) }
    : { original: { ...original, currency: original.currency === 'GBP' ? 'USD' : 'GBP' } }

const targetOf = (lines: readonly Line[], { orderKey, kind }: SettlementFault): Line => {
  const of = lines.filter((line) => orderKey === null || line.orderKey === orderKey)
  const target = of.find((line) => line.kind === 'payment') ?? of[0]
  if (target !== undefined) return target
  const subject = orderKey === null ? 'line' : `line of order ${orderKey}`
  throw new SandboxError(409, 'no_line', `The period has no ${subject} for the fault ${kind}.`)
}

const withFault = (lines: readonly Line[], fault: SettlementFault, { newId }: Options): readonly Line[] => {
  const target = targetOf(lines, fault)
  const changed = (change: Partial<Line>) =>
    lines.map((line) => (line === target ? { ...line, ...change } : line))
  const added = (change: Partial<Line>) => [...lines, { ...target, lineId: newId('sst'), ...change }]
  const { feeCents, netCents } = target
  switch (fault.kind) {
    case 'missing':
      return lines.filter((line) => line !== target)
    case 'doubled':
      return added({})
    case 'unknown_order':
      return added({ processorOrderId: newId('sbp') })
    case 'amount':
      return changed(wrongAmount(target))
    case 'currency':
      return changed(wrongCurrency(target))
    case 'fee':
      return changed({ feeCents: feeCents + 1, netCents: netCents - 1 })
    case 'sum':
      return lines
  }
}

/**
 * Settles what has happened in a period, with the processor's mistakes: each currency is paid out separately, by the sum of its
 * lines; with the fault `sum` by one minor unit less. A negative payout is taken from the bank account.
 * @throws SandboxError 409 for a fault whose order has no line in the period
 */
export const settlePeriod = (
  events: readonly SettlementEvent[],
  faults: readonly SettlementFault[],
  options: Options,
): Settlement => {
  let lines: readonly Line[] = events.flatMap((event) => linesOf(event, options))
  const short = new Map<string, number>()
  for (const fault of faults) {
    const { currency } = targetOf(lines, fault)
    if (fault.kind === 'sum') short.set(currency, (short.get(currency) ?? 0) + 1)
    lines = withFault(lines, fault, options)
  }
  const settled: SettlementLine[] = []
  const payouts: Payout[] = []
  for (const [currency, ofCurrency] of Map.groupBy(lines, (line) => line.currency)) {
    const payoutRef = options.newId('sbo')
    const sum = ofCurrency.reduce((total, { netCents }) => total + netCents, 0)
    const amountCents = sum - (short.get(currency) ?? 0)
    payouts.push({ payoutRef, currency, amountCents })
    for (const { orderKey: _key, ...line } of ofCurrency) settled.push({ ...line, payoutRef })
    settled.push({
      ...{
        lineId: options.newId('sst'),
        kind: 'payout',
        processorOrderId: null,
        payoutRef,
        currency,
        original: null,
      },
      ...{ grossCents: 0 - amountCents, feeCents: 0, netCents: 0 - amountCents },
      availableOn: options.availableOn,
    })
  }
  return { lines: settled, payouts }
}
