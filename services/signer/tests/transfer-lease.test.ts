import { createClock, createLogger, LEASE_MS, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { z } from 'zod'
import { createApprovalOpener } from '../src/refund-approvals/approvals.ts'
import { createTransferSteps } from '../src/transfers/jobs/perform-transfers.ts'
import { claimDue, insertRefund } from '../src/transfers/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests } from './running-signer.ts'

/** Looks at a transfer are further apart than any test waits. */
const EVERY_MS = 3_600_000

const findDue = queryOne({
  name: 'test.find-due',
  parameters: { id: 'text' },
  text: 'SELECT status, due_at FROM transfers WHERE id = :id',
  row: z.object({ status: z.string(), dueAt: z.date().nullable() }),
})

const clock = createClock()
const chain = createFakeChain()
/** Resolves when the next transfer may be signed. */
let held = Promise.resolve()
let signer: Awaited<ReturnType<typeof startForTests>>
beforeAll(async () => {
  const slow: typeof chain.transfers = {
    ...chain.transfers,
    sign: async (...given) => {
      await held
      return chain.transfers.sign(...given)
    },
  }
  signer = await startForTests(new Map([['ETH', slow]]), { clock, pollEveryMs: EVERY_MS })
})
afterAll(() => signer.stop())

const statusOf = async (id: string) => (await findDue(signer.db, { id }))?.status
const leaseOf = async (id: string) => (await findDue(signer.db, { id }))?.dueAt?.getTime()

test('sends a refund that a killed replica had claimed when its lease of three seconds ends', async () => {
  const body = newRefund()
  chain.setBalance(body.key_index, '1')
  await signer.approve(body)
  await signer.db.transaction(async (tx) => {
    const now = clock.now()
    await insertRefund(tx, {
      id: body.refund_id,
      network: body.network,
      asset: body.asset,
      toAddress: body.to_address,
      orderId: body.order_id,
      unattributedMoneyId: null,
      keyIndex: body.key_index,
      amount: body.amount,
      coins: '[]',
      now,
    })
    await claimDue(tx, { now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit: 1 })
  })
  expect(await statusOf(body.refund_id)).toBe('requested')
  clock.advance(LEASE_MS)
  await eventually(async () => (await statusOf(body.refund_id)) === 'broadcast')
})

test('leaves a refund whose step takes longer than its lease to the replica that performs it', async () => {
  const body = newRefund()
  chain.setBalance(body.key_index, '1')
  let release = () => {}
  held = new Promise((resolve) => (release = resolve))
  await signer.request(body)
  const other = createTransferSteps(
    { db: signer.db, clock, log: createLogger({ service: 'test', level: 'silent' }) },
    {
      networks: new Map([['ETH', chain.transfers]]),
      confirmations: CONFIRMATION_DEPTHS,
      everyMs: EVERY_MS,
      limits: signer.config.limits,
      replacements: signer.config.replacements,
      sweepAddresses: {},
      openApproval: createApprovalOpener(signer.config.approvalKeys),
      ...{ openPayoutApproval: () => null, payoutLimits: {} },
    },
  )
  const signedBefore = chain.signed.length
  try {
    for (const _ of [1, 2, 3]) {
      const lease = await eventually(() => leaseOf(body.refund_id))
      clock.advance(LEASE_MS - 500)
      await eventually(async () => ((await leaseOf(body.refund_id)) ?? 0) > lease)
      await other(new AbortController().signal)
    }
    expect(chain.signed).toHaveLength(signedBefore)
  } finally {
    release()
  }
  await eventually(async () => (await statusOf(body.refund_id)) === 'broadcast')
  expect(chain.signed).toHaveLength(signedBefore + 1)
})
