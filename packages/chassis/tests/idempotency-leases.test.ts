import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import {
  claimIdempotencyKey,
  fingerprintOf,
  KEY_REPLY_PARAMETERS,
  newId,
  NotDoneError,
  queryNone,
  queryOne,
  refuse,
  releaseKey,
  releaseOwnKey,
  reply,
  readStoredReply,
  storedReply,
  storeReply,
  type KeyUse,
} from '../src/index.ts'
import { TEST_DEADLINE_MS } from '../src/testing/index.ts'
import { openDatabase } from './fixture.ts'

const insertEffect = queryNone({
  name: 'test.insert-step',
  parameters: { name: 'text' },
  text: 'INSERT INTO effects (name) VALUES (:name)',
})
const countEffects = queryOne({
  name: 'test.count-steps',
  parameters: { name: 'text' },
  text: 'SELECT count(*)::int AS count FROM effects WHERE name = :name',
  row: z.object({ count: z.number() }),
})
const renameWithReply = queryOne({
  name: 'test.rename-step',
  parameters: { ...KEY_REPLY_PARAMETERS, from: 'text', to: 'text' },
  text: `
    WITH renamed AS (UPDATE effects SET name = :to WHERE name = :from RETURNING name), ${storedReply('renamed')}
    SELECT name FROM renamed`,
  row: z.object({ name: z.string() }),
})
let fixture: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  fixture = await openDatabase()
})
afterAll(() => fixture.close())

/** Longer than a slow machine takes for a test. */
const LEASE_MS = 600_000
const useOf = (key: string, body: unknown = {}): KeyUse => ({
  partnerId: 'prt_1',
  operation: 'test.step',
  key,
  fingerprint: fingerprintOf({}, body),
  requestId: newId('request'),
  now: fixture.clock.now(),
})
const begin = (use: KeyUse) =>
  claimIdempotencyKey<{ made: string }, 'limit_reached'>(
    fixture.db,
    use,
    { leaseMs: LEASE_MS, deadlineMs: fixture.clock.outsideMs() + TEST_DEADLINE_MS, clock: fixture.clock },
    async (tx) => {
      await insertEffect(tx, { name: use.key })
      return { ok: true, recorded: use.key }
    },
  )
const settle = (use: KeyUse) =>
  fixture.db.transaction((tx) => storeReply(tx, use, reply({ made: use.key }, 'created')))
const effectsOf = async (key: string) => (await countEffects(fixture.db, { name: key }))?.count

test("makes later calls with a key wait for the first one's answer and replays it", async () => {
  const use = useOf('slow')
  expect(await begin(use)).toEqual({ kind: 'claimed', leaseUntil: expect.any(Date), recorded: 'slow' })
  const others = Array.from({ length: 8 }, () => begin(useOf('slow')))
  await new Promise((resolve) => setTimeout(resolve, 120))
  await settle(use)
  const replayed = {
    ok: true,
    value: { made: 'slow' },
    variant: 'created',
    replay: { requestId: use.requestId, json: '{"made":"slow"}' },
  }
  expect(await Promise.all(others)).toEqual(others.map(() => ({ kind: 'answered', outcome: replayed })))
  expect(await effectsOf('slow')).toBe(1)
})

test('lets exactly one call take over a key whose call died, once its lease has ended', async () => {
  const dead = useOf('died')
  await begin(dead)
  fixture.clock.advance(LEASE_MS + 1)
  const use = useOf('died')
  expect(await begin(use)).toEqual({
    kind: 'taken-over',
    leaseUntil: expect.any(Date),
    recorded: 'died',
    requestId: dead.requestId,
  })
  const waiting = begin(useOf('died'))
  await settle(use)
  expect(await waiting).toMatchObject({ kind: 'answered', outcome: { value: { made: 'died' } } })
  expect(await effectsOf('died')).toBe(1)
})

test('lets only the call that has the lease release the key', async () => {
  const [stalled, other] = [useOf('leased'), useOf('leased')]
  const first = await begin(stalled)
  fixture.clock.advance(LEASE_MS + 1)
  const second = await begin(other)
  if (first.kind !== 'claimed' || second.kind !== 'taken-over') throw new Error('The key was not taken over')
  const release = (leaseUntil: Date) => fixture.db.transaction((tx) => releaseOwnKey(tx, stalled, leaseUntil))
  expect(await release(first.leaseUntil)).toBe(false)
  expect(await release(second.leaseUntil)).toBe(true)
  expect(await begin(useOf('leased'))).toMatchObject({ kind: 'claimed' })
})

test('keeps the first stored answer when another caller completes the same effect later', async () => {
  const [stalled, other] = [useOf('stalled'), useOf('stalled')]
  await begin(stalled)
  fixture.clock.advance(LEASE_MS + 1)
  expect(await begin(other)).toMatchObject({ kind: 'taken-over' })
  expect(await fixture.db.transaction((tx) => readStoredReply(tx, stalled))).toBeNull()
  await settle(other)
  await fixture.db.transaction((tx) => storeReply(tx, stalled, reply({ made: 'otherwise' })))
  const stored = { ok: true, value: { made: 'stalled' }, variant: 'created' }
  expect(await fixture.db.transaction((tx) => readStoredReply(tx, stalled))).toEqual(stored)
  expect(await fixture.db.transaction((tx) => readStoredReply(tx, other))).toEqual({
    ...stored,
    replay: { requestId: stalled.requestId, json: '{"made":"stalled"}' },
  })
})

test('stores a reply together with its effect, and never over a stored one', async () => {
  const use = useOf('in one statement')
  await begin(use)
  const { partnerId, operation, key } = use
  const rename = (from: string, to: string) =>
    renameWithReply(fixture.db, { partnerId, operation, key, from, to, replyJson: JSON.stringify({ to }) })
  expect(await rename('no such effect', 'never')).toBeNull()
  expect(await readStoredReply(fixture.db, use)).toBeNull()
  expect(await rename(key, 'first')).toEqual({ name: 'first' })
  expect(await rename('first', 'second')).toEqual({ name: 'second' })
  expect(await readStoredReply(fixture.db, use)).toEqual({ ok: true, value: { to: 'first' } })
})

test('allows a released key for another request, but not a key in use', async () => {
  const use = useOf('back')
  await begin(use)
  expect(await begin(useOf('back', { other: 1 }))).toEqual({
    kind: 'answered',
    outcome: { ok: false, code: 'idempotency_key_reuse' },
  })
  await fixture.db.transaction((tx) => releaseKey(tx, use))
  expect(await begin(useOf('back', { other: 1 }))).toEqual({
    kind: 'claimed',
    leaseUntil: expect.any(Date),
    recorded: 'back',
  })
})

test('leaves neither key nor effect when the first step refuses', async () => {
  const use = useOf('refused')
  const refused = await claimIdempotencyKey(
    fixture.db,
    use,
    { leaseMs: LEASE_MS, deadlineMs: fixture.clock.outsideMs() + TEST_DEADLINE_MS, clock: fixture.clock },
    async (tx) => {
      await insertEffect(tx, { name: 'refused' })
      return refuse('limit_reached')
    },
  )
  expect(refused).toEqual({ kind: 'answered', outcome: { ok: false, code: 'limit_reached' } })
  expect(await effectsOf('refused')).toBe(0)
  expect(await begin(use)).toEqual({ kind: 'claimed', leaseUntil: expect.any(Date), recorded: 'refused' })
})

test('reports to a waiting call that nothing was done while its caller still listens', async () => {
  const use = useOf('held')
  expect(await begin(use)).toEqual({ kind: 'claimed', leaseUntil: expect.any(Date), recorded: 'held' })
  const deadlineMs = fixture.clock.nowMs() + 5_000
  // Its clock stops a moment before the deadline.
  const clock = { nowMs: () => fixture.clock.nowMs(), outsideMs: () => deadlineMs - 400 }
  const waiting = claimIdempotencyKey(
    fixture.db,
    useOf('held'),
    { leaseMs: LEASE_MS, deadlineMs, clock },
    () => Promise.resolve({ ok: true, recorded: 'again' }),
  )
  await expect(waiting).rejects.toThrow(NotDoneError)
  expect(await effectsOf('held')).toBe(1)
})
