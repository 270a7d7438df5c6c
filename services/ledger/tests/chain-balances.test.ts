import { createLogger, implement, refuse, registry, reply, serve } from '@causeway/chassis'
import { eventually, testReceiverKeys } from '@causeway/chassis/testing'
import {
  chainHoldings,
  differences as differenceOperations,
  type LedgerDifference,
} from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { deposited } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const ORDERS = ['ord_01m8nx8jn5efqgx2a59kf3rmh2', 'ord_01m8nx8jn5efqgx2a59kf3rmh3'] as const
const UNIT = { network: 'ETH', asset: 'USDC' } as const

let ledger: RunningLedger
/** Amounts that the two pages of addresses lack at each reading that begins, and then permanently. */
let missing: (readonly [string, string])[] = []
let isAway = false
let readings = 0

const serveHoldings = (): void =>
  serve(
    ledger.bus,
    implement(chainHoldings, {
      list: () => Promise.resolve(reply({ units: [UNIT] })),
      compare({ body: { after } }) {
        if (isAway) return Promise.resolve(refuse('resource_not_found'))
        if (after === null) {
          readings += 1
          if (missing.length > 1) missing.shift()
        }
        const page = after === null ? 0 : 1
        const lacks = missing[0]?.[page] ?? '0'
        return Promise.resolve(
          reply({
            compared: 1,
            missing: lacks,
            short_orders: lacks === '0' ? [] : [ORDERS[page]],
            next: page === 0 ? ORDERS[0] : null,
          }),
        )
      },
    }),
    {
      keys: testReceiverKeys(),
      service: 'payments',
      clock: ledger.clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )

beforeAll(async () => {
  ledger = await startForTests({ chainCompareEveryMs: 1_000 })
  const amount = '10'
  const nothing = { open: '0', excess: '0', late: '0', foreign: '0' }
  await postFacts(ledger, [deposited({ ...UNIT, amount, ...nothing, applied: amount })])
  serveHoldings()
})
afterAll(() => ledger.stop())

const read = async (count: number): Promise<void> => {
  const from = readings
  // The reading that has begun last may not be recorded yet.
  await eventually(() => readings > from + count)
}
const list = async (status: 'open' | 'closed' | 'matched'): Promise<readonly LedgerDifference[]> => {
  const answer = await ledger.asStaff(differenceOperations.list, { query: { status } })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.differences
}
const opened = () =>
  eventually(async () => {
    const [difference] = await list('open')
    if (difference === undefined) throw new Error('There is no difference yet')
    return difference
  })
const ended = () => eventually(async () => (await list('open')).length === 0)

test('makes no difference of what one reading alone has missed', async () => {
  missing = [
    ['0', '0'],
    ['1', '0'],
    ['0', '0'],
  ]
  await read(3)
  expect([await list('open'), await list('matched')]).toEqual([[], []])
})

test('lists what the addresses of all pages lack as one difference, follows it, and ends it when they hold everything', async () => {
  missing = [['1.5', '0.5']]
  const difference = await opened()
  expect(difference).toMatchObject({
    ...{ kind: 'sum', source: 'chain:ETH', line_id: null, order_key: null, owner: null },
    ...{ unit: 'ETH/USDC', expected: '10', found: '8', found_unit: 'ETH/USDC', status: 'open' },
  })
  missing = [['2', '1.5']]
  await eventually(async () => (await list('open'))[0]?.found === '6.5')
  const gauge = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value
  await eventually(async () => (await gauge('causeway_ledger_chain_balances_short')) === 1)
  isAway = true
  await eventually(async () => {
    const [row] = await ledger.sql<{ due: boolean }>(
      "SELECT due_at > read_at + interval '1 s' AS due FROM chain_readings",
    )
    return row?.due === true
  })
  expect(await list('open')).toHaveLength(1)
  isAway = false
  missing = [['0', '0']]
  await ended()
  expect(await list('matched')).toMatchObject([
    { difference_id: difference.difference_id, status: 'matched' },
  ])
})

test('takes what a closed difference states out of the books, and then reports only what is missing beyond it', async () => {
  missing = [['2', '0']]
  const { difference_id: differenceId } = await opened()
  const answer = await ledger.asStaff(differenceOperations.close, {
    params: { differenceId },
    body: { reason: 'Stolen from a copied seed' },
  })
  expect(answer).toMatchObject({
    ok: true,
    value: { difference: { status: 'closed', expected: '10', found: '8' } },
  })
  const sums = await ledger.sums()
  expect([
    sums['chain:ETH:deposits ETH/USDC'],
    sums['cost:loss ETH/USDC'],
    sums['suspense:ETH/USDC ETH/USDC'],
  ]).toEqual([-8_000_000n, -2_000_000n, undefined])
  await read(3)
  expect(await list('open')).toEqual([])
  missing = [['2', '0.25']]
  expect(await opened()).toMatchObject({ expected: '8', found: '7.75' })
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
})
