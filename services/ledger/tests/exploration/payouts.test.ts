import {
  createRowSpace,
  explore,
  type Invariant,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { adjustmentPosting } from '../../src/adjustments/adjustment.ts'
import { insert } from '../../src/payouts/announced-store.ts'
import { isStepRefused, payOut, stepPayout, type Wanted } from '../../src/payouts/pay-out.ts'
import { takeStep } from '../../src/payouts/steps.ts'
import { postBatch, presentPostings } from '../../src/posting/post-facts.ts'
import { EXPLORED_BOOKS, MIGRATIONS } from '../fixtures/books.ts'
import { timeOf } from '../fixtures/facts.ts'
import { BANK, MERCHANT } from '../fixtures/payouts.ts'

const NOW = new Date(timeOf(1))
const EARNED = [100, 40, -20].map((amount, at) =>
  adjustmentPosting({ ownerId: MERCHANT, unit: 'EUR', amount: BigInt(amount) }, `adj_${at}`, NOW),
)
/** Accounts exist before the exploration, because an identity would differ in each history. */
const SEED = `
  INSERT INTO books.accounts (name, unit, class, owner_id, balance) VALUES ('suspense:EUR', 'EUR', 'asset', NULL, NULL),
    ('${MERCHANT}:available', 'EUR', 'liability', '${MERCHANT}', 'available'),
    ('${MERCHANT}:on_the_way', 'EUR', 'liability', '${MERCHANT}', 'on_the_way'), ('${BANK}', 'EUR', 'asset', NULL, NULL),
    ('income:service_fee', 'EUR', 'income', NULL, NULL);
  SELECT books.post('[]', '${presentPostings(EARNED).postings}', '${timeOf(1)}');`

const openSpace = (seed = SEED): Promise<RowSpace> =>
  createRowSpace(
    { name: 'ledger', migrations: MIGRATIONS },
    [
      ...EXPLORED_BOOKS,
      { name: 'books.payouts', orderBy: 'payout_id' },
      { name: 'books.payout_items', orderBy: 'payout_id, number' },
      { name: 'books.payout_steps', orderBy: 'payout_id, step' },
      { name: 'books.paid' },
      { name: 'payouts', orderBy: 'payout_id' },
    ],
    seed,
  )
let space: RowSpace
beforeAll(async () => {
  space = await openSpace()
})
afterAll(() => space.close())

type State = Readonly<{ rows: number; left: readonly string[] }>
type Work = Parameters<RowSpace['run']>[2]

const paying =
  (payoutId: string, change: Partial<Wanted>): Work =>
  (tx) =>
    payOut(tx, { payoutId, ownerId: MERCHANT, unit: 'EUR', amount: null, ...change }, NOW)

/** Events of which each happens once, in any order. */
const EVENTS: Readonly<Record<string, Work>> = {
  'withdrawal of 90': paying('withdrawal', { amount: 90n }),
  'payout of everything': paying('run', {}),
  'payout made elsewhere': paying('elsewhere', { amount: 70n, takesAdvance: true }),
  'refund of 50': (tx) =>
    postBatch(
      tx,
      { postings: [adjustmentPosting({ ownerId: MERCHANT, unit: 'EUR', amount: -50n }, 'adj_refund', NOW)] },
      NOW,
    ),
  'payout announced by staff': (tx) => ANNOUNCED(tx),
  'withdrawal of 90 with a fee': paying('charged withdrawal', { amount: 90n, fee: 7n }),
  'payout of everything with a fee': paying('charged run', { fee: 7n }),
  'withdrawal that leaves less than its fee': paying('too much', { amount: 118n, fee: 7n }),
}
/** A payout as staff announce it: its row next to the books. */
const ANNOUNCED: Work = async (tx) => {
  const payoutId = 'announced'
  await payOut(tx, { payoutId, ownerId: MERCHANT, unit: 'EUR', amount: 90n, takesAdvance: true }, NOW)
  await insert(tx, {
    ...{ payoutId, merchantId: 'cus_1', ownerId: MERCHANT, amount: 90, unit: 'EUR' },
    ...{ scheduledFor: NOW, createdAt: NOW, runId: null, schedule: null },
    ...{ payoutWalletId: null, reference: null },
  })
}
const STEPS = ['sent', 'settled', 'cancelled', 'returned'] as const

const stepping =
  (payoutId: string, step: (typeof STEPS)[number]): Work =>
  async (tx) => {
    try {
      return await stepPayout(tx, { payoutId, step, ...(step === 'settled' && { counterpart: BANK }) }, NOW)
    } catch (error) {
      if (isStepRefused(error)) throw Object.assign(error as Error, { code: '23LB3' })
      throw error
    }
  }

/** As the operations of staff and {@link stepping} take steps, in any order. */
const steppingWithRow =
  (payoutId: string, step: (typeof STEPS)[number]): Work =>
  (tx) =>
    takeStep(tx, { payoutId, step, at: NOW, ...(step === 'settled' && { counterpart: BANK }) }, NOW)

type Row = Readonly<Record<string, unknown>>
const rulesOf = (from: RowSpace) => {
  const rowsOf = ({ rows }: State, table: string): readonly Row[] => from.rowsOf(rows)[`books.${table}`] ?? []
  const sum = (rows: readonly Row[]): number => rows.reduce((total, { amount }) => total + Number(amount), 0)
  const stepsOf = (state: State, id: unknown): unknown[] =>
    rowsOf(state, 'payout_steps').flatMap(({ payout_id: of, step }) => (of === id ? [step] : []))
  const active = (state: State, table: string): Row[] =>
    rowsOf(state, table).filter(({ payout_id: id }) => !stepsOf(state, id).includes('cancelled'))
  const balanceOf = (state: State, name: string): number => {
    const id = rowsOf(state, 'accounts').find((account) => account['name'] === name)?.['id']
    const of = (side: string) => sum(rowsOf(state, 'transfers').filter((transfer) => transfer[side] === id))
    return of('credit') - of('debit')
  }
  const entriesOf = (state: State): readonly Row[] => {
    const id = rowsOf(state, 'accounts').find(({ name }) => name === `${MERCHANT}:available`)?.['id']
    return rowsOf(state, 'entries').filter(({ account_id: of }) => of === id)
  }
  const rules: Invariant<State>[] = [
    {
      name: 'payouts-sum',
      says: 'A payout is the sum of its items and its advance.',
      holds: (state) =>
        rowsOf(state, 'payouts').every(({ payout_id: id, amount, advance, entry_count: count }) => {
          const items = rowsOf(state, 'payout_items').filter((item) => item['payout_id'] === id)
          return sum(items) + Number(advance) === amount && items.length === count
        }),
    },
    {
      name: 'paid-once',
      says: 'The parts of an entry in payouts that are not cancelled stay within the entry, on its side of zero.',
      holds: (state) =>
        entriesOf(state).every(({ number, amount }) => {
          const parts = active(state, 'payout_items').filter((item) => item['number'] === number)
          const paid = sum(parts)
          return (
            parts.every((part) => Number(part['amount']) * Number(amount) > 0) &&
            Math.abs(paid) <= Math.abs(Number(amount))
          )
        }),
    },
    {
      name: 'nothing-forgotten',
      says: 'The balance is the rest of the entries less what was advanced.',
      holds: (state) => {
        const earned = sum(entriesOf(state).filter(({ kind }) => kind !== 'payout'))
        const advanced = active(state, 'payouts').reduce((total, { advance }) => total + Number(advance), 0)
        return (
          balanceOf(state, `${MERCHANT}:available`) === earned - sum(active(state, 'payout_items')) - advanced
        )
      },
    },
    {
      name: 'nothing-skipped',
      says: 'An entry that is taken for paid out whole is.',
      holds: (state) => {
        const through = Number(rowsOf(state, 'paid')[0]?.['through'] ?? 0)
        return entriesOf(state).every(
          ({ number, kind, amount }) =>
            Number(number) > through ||
            kind === 'payout' ||
            sum(active(state, 'payout_items').filter((item) => item['number'] === number)) === amount,
        )
      },
    },
    {
      name: 'sent-once',
      says: 'A payout that was sent is not cancelled, and one that ended is not sent.',
      holds: (state) =>
        rowsOf(state, 'payouts').every(({ payout_id: id }) => {
          const steps = stepsOf(state, id)
          return !steps.includes('cancelled') || steps.length === 2
        }),
    },
    {
      name: 'on-the-way',
      says: 'What is on the way is in payouts that are neither settled nor ended, and the bank has what is settled.',
      holds: (state) => {
        const has = (id: unknown, ...steps: string[]) =>
          steps.some((step) => stepsOf(state, id).includes(step))
        const payouts = rowsOf(state, 'payouts')
        const onTheWay = payouts.filter(({ payout_id: id }) => !has(id, 'cancelled', 'settled', 'returned'))
        const settled = payouts.filter(({ payout_id: id }) => has(id, 'settled') && !has(id, 'returned'))
        return (
          balanceOf(state, `${MERCHANT}:on_the_way`) === sum(onTheWay) &&
          balanceOf(state, BANK) === sum(settled)
        )
      },
    },
    {
      name: 'fees-charged',
      says: 'Every payout that is not cancelled has its fee, and no other has.',
      holds: (state) =>
        balanceOf(state, 'income:service_fee') ===
        active(state, 'payouts').reduce((total, { fee }) => total + Number(fee), 0),
    },
    {
      name: 'same-status',
      says: 'The status of a payout is its last step in the books.',
      holds: (state) =>
        (from.rowsOf(state.rows)['payouts'] ?? []).every(({ payout_id: id, status }) => {
          const steps = stepsOf(state, id)
          return (
            status ===
            ['cancelled', 'returned', 'settled', 'sent', 'upcoming'].find((each) => steps.includes(each))
          )
        }),
    },
    {
      name: 'never-below-zero',
      says: 'Only a refund and a payout that was made elsewhere take the balance below zero.',
      holds: (state) =>
        balanceOf(state, `${MERCHANT}:available`) >= 0 ||
        rowsOf(state, 'journal').some(({ source }) =>
          ['adj_refund', 'elsewhere', 'announced'].includes(String(source)),
        ),
    },
  ]
  return rules
}

const explorePayouts = (from: RowSpace, events: readonly string[], mutant?: StatementMutant) =>
  explore<State>({
    initial: { rows: from.initial, left: events },
    async steps({ rows, left }) {
      const found: Step<State>[] = []
      const take = async (name: string, work: Work, rest: readonly string[]) => {
        const { rows: next, answer } = await from.run(rows, name, work, mutant)
        if ('error' in answer && (answer.error as { code?: string }).code !== '23LB3') throw answer.error
        found.push({ name, to: { rows: next, left: rest } })
      }
      for (const name of left)
        await take(
          name,
          EVENTS[name] as Work,
          left.filter((other) => other !== name),
        )
      for (const { payout_id: id } of from.rowsOf(rows)['books.payouts'] ?? [])
        for (const step of STEPS)
          await take(
            `${String(id)} is ${step}`,
            (id === 'announced' ? steppingWithRow : stepping)(String(id), step),
            left,
          )
      return found
    },
    invariants: rulesOf(from),
    maxStates: 50_000,
  })

const [WITHDRAWAL, RUN, ELSEWHERE, REFUND, BY_STAFF, CHARGED, CHARGED_RUN, TOO_MUCH] = Object.keys(
  EVENTS,
) as [string, string, string, string, string, string, string, string]

test.each([
  [[WITHDRAWAL, RUN, REFUND], 538],
  [[RUN, ELSEWHERE], 207],
  [[BY_STAFF, RUN], 207],
  [[CHARGED, CHARGED_RUN, REFUND], 538],
])('keeps its invariants in every order of %j and every step', async (events, states) => {
  const found = await explorePayouts(space, events)
  expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
    states,
    isExhausted: true,
  })
})

/** A function of the books with another text. */
const withFunction = (name: string, from: string, to: string): string => `
  DO $mutant$
  DECLARE
    shipped text := (SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = '${name}');
  BEGIN
    IF position($from$${from}$from$ IN shipped) = 0 THEN RAISE EXCEPTION '${name} has another text'; END IF;
    EXECUTE replace(shipped, $from$${from}$from$, $to$${to}$to$);
  END $mutant$;
  ${SEED}`

test.each([
  ['pays more than is left', 'taken', 'least(run.rest, p_amount - run.before)', 'run.rest', 'payouts-sum'],
  ['forgets what was paid in part', 'unpaid', 'e.amount - paid.amount', 'e.amount', 'paid-once'],
  [
    'pays more than the balance',
    'pay_out',
    'v_amount + v_fee > v_available AND',
    'false AND',
    'never-below-zero',
  ],
  [
    'keeps the entries of a cancelled payout',
    'step_payout',
    'least(p.through, v_first)',
    'p.through',
    'nothing-skipped',
  ],
  [
    'cancels what was sent',
    'step_payout',
    "'upcoming cancelled'",
    "'upcoming cancelled', 'sent cancelled'",
    'sent-once',
  ],
])('catches a function of the books that %s', async (_, name, from, to, rule) => {
  const other = await openSpace(withFunction(name, from, to))
  try {
    expect((await explorePayouts(other, [WITHDRAWAL, RUN, REFUND])).violation?.rule).toBe(rule)
  } finally {
    await other.close()
  }
})

test('catches a function of the books that charges a fee which the balance does not cover', async () => {
  const other = await openSpace(
    withFunction('pay_out', 'v_amount + v_fee > v_available', 'v_amount > v_available'),
  )
  try {
    expect((await explorePayouts(other, [TOO_MUCH, RUN])).violation?.rule).toBe('never-below-zero')
  } finally {
    await other.close()
  }
})

test('catches a row that takes a step which the books refuse', async () => {
  const mutant = {
    statement: 'payouts.take-step',
    from: 'AND p.status = ANY ($3::text[])',
    to: 'AND $3::text[] IS NOT NULL',
  }
  await expect(explorePayouts(space, [BY_STAFF], mutant)).rejects.toThrow('cannot be')
})
