import { createLogger, LEASE_MS, newId, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BlockSource } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { z } from 'zod'
import { startBlockReader } from '../../src/blocks/jobs/block-reader.ts'
import { claimPosition } from '../../src/blocks/position-store.ts'
import { toTolerance } from '../../src/deposits/settlement.ts'
import { mineEmpty, NETWORK, startBlockFixture, type BlockFixture } from './block-fixture.ts'

/** Looks of a reader are further apart than any test waits. */
const EVERY_MS = 3_600_000

const findPosition = queryOne({
  name: 'test.find-position',
  parameters: { network: 'text' },
  text: 'SELECT number, holder, lease_until FROM chain_positions WHERE network = :network',
  row: z.object({ number: z.number().nullable(), holder: z.string().nullable(), leaseUntil: z.date() }),
})

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(() => fixture.stop())

const startReader = (source: BlockSource) => {
  const { db, clock, config } = fixture.payments
  return startBlockReader(
    { db, clock, log: createLogger({ service: 'test', level: 'silent' }) },
    {
      tolerance: toTolerance(0),
      confirmations: CONFIRMATION_DEPTHS,
      links: { publicBaseUrl: config.publicBaseUrl, chains: {} },
    },
    { source, everyMs: EVERY_MS },
  )
}
const position = async () => {
  const found = await findPosition(fixture.payments.db, { network: NETWORK })
  if (found === null) throw new Error('nobody has claimed the network')
  return found
}

test('replaces a killed replica when its lease of three seconds ends, however rarely blocks are read', async () => {
  const { db, clock } = fixture.payments
  const chain = await fixture.newChain()
  const { number } = mineEmpty(chain, 40)
  const leaseUntil = new Date(clock.nowMs() + LEASE_MS)
  await claimPosition(db, { network: NETWORK, holder: 'killed', now: clock.now(), leaseUntil })
  const reader = startReader(chain.source)
  try {
    clock.advance(LEASE_MS - 1)
    const early = eventually(async () => (await position()).holder !== 'killed', { withinMs: 1_500 })
    await expect(early).rejects.toThrow('The condition was not met in time')
    clock.advance(2)
    await eventually(async () => (await position()).number === number)
  } finally {
    await reader.stop()
  }
})

test("keeps the reader's lease while a read takes longer than the lease, and between two reads", async () => {
  const { db, clock } = fixture.payments
  const chain = await fixture.newChain()
  const { number } = mineEmpty(chain, 40)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const slow: BlockSource = {
    ...chain.source,
    head: async (signal) => {
      await held
      return chain.source.head(signal)
    },
  }
  const reader = startReader(slow)
  const isRenewed = async () => (await position()).leaseUntil.getTime() === clock.nowMs() + LEASE_MS
  try {
    await eventually(isRenewed)
    const { holder } = await position()
    for (const _ of [1, 2]) {
      clock.advance(LEASE_MS - 1)
      await eventually(isRenewed)
    }
    release()
    await eventually(async () => (await position()).number === number)
    clock.advance(LEASE_MS - 1)
    await eventually(isRenewed)
    const leaseUntil = new Date(clock.nowMs() + LEASE_MS)
    const other = { network: NETWORK, holder: newId('request'), now: clock.now(), leaseUntil }
    expect(await claimPosition(db, other)).toBeNull()
    expect((await position()).holder).toBe(holder)
  } finally {
    release()
    await reader.stop()
  }
})
