import type { LedgerFact, LedgerFactOf } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { reversed } from '../../services/ledger/src/posting/posting.ts'
import { postingsOf } from '../../services/ledger/src/posting/rules.ts'
import { createHistory, HISTORY_ACTS, type HistoryMutant, type HistoryStep } from './books-history.ts'
import { booksOf } from './checks/books-model.ts'

/** `pnpm soak:books` plays 2,000 steps in each of 50 histories. */
const STEPS = Number(process.env['BOOKS_STEPS'] ?? 200)
const HISTORIES = STEPS >= 2_000 ? 50 : 10
/** The model is computed anew from all rows after so many steps. */
const COMPARED_EVERY = 20

const step = fc.record({
  act: fc.constantFrom(...HISTORY_ACTS),
  order: fc.nat(29),
  choice: fc.nat(10_000),
})
const historiesOf = (steps: number) => fc.array(step, { minLength: steps, maxLength: steps, size: 'max' })

/** The accounts whose sums are not those of the model. */
const differencesOf = (history: ReturnType<typeof createHistory>): string[] => {
  const [books, model] = [history.sums(), booksOf(history.rows())]
  return [...new Set([...books.keys(), ...model.keys()])].filter(
    (account) => books.get(account) !== model.get(account),
  )
}

/** Plays a history up to the first comparison with a difference. */
const play = (steps: readonly HistoryStep[], mutant: HistoryMutant = {}) => {
  const history = createHistory({ cards: 30, cryptos: 10, mutant })
  for (const [at, each] of steps.entries()) {
    history.play(each)
    if (at % COMPARED_EVERY !== 0 && at < steps.length - 1) continue
    const differences = differencesOf(history)
    if (differences.length > 0) return { differences, postings: history.postings() }
  }
  return { differences: [], postings: history.postings() }
}

test(`gives the books of an independent model over the rows in histories of ${STEPS} steps`, () => {
  let most = 0
  fc.assert(
    fc.property(historiesOf(STEPS), (steps) => {
      const { differences, postings } = play(steps)
      expect(differences).toEqual([])
      most = Math.max(most, postings)
    }),
    { numRuns: HISTORIES },
  )
  expect(most).toBeGreaterThan(STEPS / 10)
})

type Refunded = LedgerFactOf<'crypto_refunded'>
const withRefund = (change: (fact: Refunded) => Partial<Refunded>): HistoryMutant => ({
  postingsOf: (fact) => postingsOf(fact.kind === 'crypto_refunded' ? { ...fact, ...change(fact) } : fact),
})
const withFee = (change: Partial<Refunded['network_fee']>): HistoryMutant =>
  withRefund(({ network_fee: fee }) => ({ network_fee: { ...fee, ...change } }))
const withDeposit = (
  change: (fact: LedgerFactOf<'deposit_moved'>) => LedgerFactOf<'deposit_moved'>,
): HistoryMutant => ({
  postingsOf: (fact) => postingsOf(fact.kind === 'deposit_moved' ? change(fact) : fact),
})
const without = (isLeftOut: (fact: LedgerFact) => boolean): HistoryMutant => ({
  postingsOf: (fact) => (isLeftOut(fact) ? [] : postingsOf(fact)),
})
const isOfRefund = (fact: LedgerFact) => fact.kind === 'transfer_moved' && /^0(\.0*)?$/.test(fact.leaves)
const isFailure = (fact: LedgerFact) => fact.kind === 'transfer_moved' && fact.step === 'failed'

/** Each mutant, and an account whose sum it makes wrong. */
const MUTANTS: readonly [string, HistoryMutant, string][] = [
  ["takes a token's fee from the payer", withFee({ borne_by: 'bucket' }), 'payers:late ETH/ETH'],
  [
    'pays a fee that the payer bears from the platform',
    withFee({ borne_by: 'platform' }),
    'cost:network_fee BTC/BTC',
  ],
  ["takes a token's fee from the deposits", withFee({ paid_from: 'deposits' }), 'chain:ETH:gas ETH/ETH'],
  ['takes a fee in the asset from the gas account', withFee({ paid_from: 'gas' }), 'chain:BTC:gas BTC/BTC'],
  ['refunds a surplus from what is late', withRefund(() => ({ bucket: 'late' })), 'payers:excess ETH/USDC'],
  [
    'refunds another asset from what is late',
    withRefund(({ bucket }) => ({ bucket: bucket === 'foreign' ? 'late' : bucket })),
    'payers:foreign ETH/ETH',
  ],
  [
    'posts a refund on the wrong side',
    {
      postingsOf: (fact) =>
        postingsOf(fact).map((posting) =>
          fact.kind === 'crypto_refunded' ? { ...posting, transfers: reversed(posting.transfers) } : posting,
        ),
    },
    'chain:ETH:deposits ETH/USDC',
  ],
  ['posts a refund that failed', { refundFacts: (_, fact) => [fact] }, 'chain:ETH:deposits ETH/USDC'],
  [
    'posts a refund each time that its fact is made',
    {
      refundFacts: ({ status }, fact, making) =>
        status === 'confirmed' ? [{ ...fact, fact_id: `${fact.fact_id}:${making}` }] : [],
    },
    'chain:ETH:deposits ETH/USDC',
  ],
  [
    'forgets the fee that a failed refund has cost',
    without((fact) => isFailure(fact) && isOfRefund(fact)),
    'cost:network_fee ETH/ETH',
  ],
  [
    'charges no service fee',
    withDeposit(({ service_fee: _fee, ...fact }) => fact),
    'income:service_fee ETH/USDC',
  ],
  [
    'keeps the service fee of a deposit that is taken back',
    withDeposit(({ service_fee: fee = '0', ...fact }) =>
      fee.startsWith('-') ? fact : { ...fact, service_fee: fee },
    ),
    'income:service_fee BTC/BTC',
  ],
  [
    'books no conversion',
    withDeposit(
      ({ settled_amount: _amount, settled_cents: _cents, settled_currency: _currency, ...fact }) => fact,
    ),
    'fx:EUR EUR',
  ],
  [
    'takes the asset of a conversion, and gives nothing for it',
    withDeposit((fact) => (fact.settled_cents === undefined ? fact : { ...fact, settled_cents: 0 })),
    'fx:JPY JPY',
  ],
  [
    'keeps the conversion of a deposit that is taken back',
    withDeposit(
      ({ settled_amount: _amount, settled_cents: cents = 0, settled_currency: _currency, ...fact }) =>
        cents < 0
          ? fact
          : { ...fact, settled_amount: _amount, settled_cents: cents, settled_currency: _currency },
    ),
    'fx:ETH/USDC ETH/USDC',
  ],
  [
    'leaves a failed sweep in flight',
    without((fact) => isFailure(fact) && !isOfRefund(fact)),
    'chain:ETH:in_flight ETH/USDC',
  ],
]

/** The mutants meet the same histories, so that each is found or not in every run. */
const MUTANT_HISTORIES = { numRuns: 20, seed: 1 }

test.each(MUTANTS)('finds an account that is wrong when a mutant %s', (_, mutant, account) => {
  const histories = fc.sample(historiesOf(200), MUTANT_HISTORIES)
  const differences = histories.flatMap((steps) => play(steps, mutant).differences)
  expect(differences).toContain(account)
})
