import { expect, test } from '@jest/globals'
import { cardOrderModel, type CardCall } from './card-order-model.ts'
import { cryptoOrderModel, type CryptoCall } from './crypto-order-model.ts'
import { keyModel, type KeyCall } from './key-model.ts'
import { checkLinearizable, type SequentialModel } from './linearizable.ts'

const MAX_CENTS = 100

/** Checks whether a sequence of calls can have had these outcomes. */
const isPossible = <State, T>(model: SequentialModel<State, T>, calls: readonly T[]): boolean => {
  const history = calls.map((call, index) => ({ begin: 2 * index, end: 2 * index + 1, call }))
  return checkLinearizable(history, model).linearizable
}

const made = (what: string, isReplay = false): KeyCall => ({ saw: 'made', what, isReplay })
const unknown: KeyCall = { saw: 'unknown' }

test.each<[string, readonly KeyCall[], boolean]>([
  ['once, then its replay', [made('a'), made('a', true)], true],
  ['twice', [made('a'), made('b')], false],
  ['the same thing twice, neither as a replay', [made('a'), made('a')], false],
  ['a replay of what nobody asked for', [made('a', true)], false],
  ['a replay of what an unknown outcome made', [unknown, made('a', true)], true],
  ['after a refusal', [{ saw: 'refused' }, made('a')], true],
  ['by a later call where the processor opened nothing', [{ saw: 'unopened' }, made('a', true)], true],
  ['and then not opened', [made('a'), { saw: 'unopened' }], false],
  ['and then refused by the processor', [made('a'), { saw: 'failed' }], false],
])('decides whether a key may be made %s', (_, calls, isAllowed) => {
  expect(isPossible(keyModel, calls)).toBe(isAllowed)
})

const read = (status: string, refundedCents: number): CardCall => ({ op: 'read', status, refundedCents })
const refund = (amountCents: number, refundedCents: number): CardCall => ({
  op: 'refund',
  amountCents,
  saw: 'made',
  refundedCents,
  remainingCents: MAX_CENTS - refundedCents,
})
const pay: CardCall = { op: 'pay' }
const count = (amountCents: number): CardCall => ({ op: 'count', amountCents })

test.each<[string, readonly CardCall[], boolean]>([
  ['refunds up to the ceiling', [pay, refund(40, 40), refund(60, 100), read('refunded', 100)], true],
  ['a refund beyond the ceiling', [pay, refund(60, 60), refund(60, 120)], false],
  ['a refund that another one forgot', [pay, refund(40, 40), refund(40, 40)], false],
  ['a read that does not show a refund', [pay, refund(40, 40), read('paid', 0)], false],
  ['a refund that is gone again', [pay, refund(40, 40), read('paid', 40), read('paid', 0)], false],
  ['a refund before the payment', [refund(40, 40)], false],
  ['a dispute of the whole', [pay, refund(40, 40), { op: 'dispute' }, read('chargeback', 0)], true],
])('decides whether a card order may have %s', (_, calls, isAllowed) => {
  expect(isPossible(cardOrderModel(MAX_CENTS, false), calls)).toBe(isAllowed)
})

test.each<[string, readonly CardCall[], boolean]>([
  ['is not shown at first', [pay, refund(40, 40), read('paid', 0), count(40), read('paid', 40)], true],
  ['counts against the ceiling immediately', [pay, refund(60, 60), refund(60, 60), count(60)], false],
  ['is shown once', [pay, refund(40, 40), count(40), count(40), read('paid', 80)], false],
  ['is not taken back', [pay, refund(40, 40), count(40), read('paid', 40), read('paid', 0)], false],
])('decides whether a refund that is shown late %s', (_, calls, isAllowed) => {
  expect(isPossible(cardOrderModel(MAX_CENTS, true), calls)).toBe(isAllowed)
})

test.each<[string, readonly CryptoCall[], boolean]>([
  ['paid, and not cancelled', [{ op: 'deposit' }, { op: 'cancel', saw: 'not pending' }], true],
  ['paid and cancelled', [{ op: 'deposit' }, { op: 'cancel', saw: 'done' }], false],
  [
    'cancelled and open',
    [
      { op: 'cancel', saw: 'done' },
      { op: 'read', status: 'pending' },
    ],
    false,
  ],
])('decides whether a crypto order may be %s', (_, calls, isAllowed) => {
  expect(isPossible(cryptoOrderModel, calls)).toBe(isAllowed)
})
