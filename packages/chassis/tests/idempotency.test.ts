import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import {
  fingerprintOf,
  newId,
  refuse,
  queryNone,
  queryOne,
  reply,
  withIdempotency,
  type KeyUse,
} from '../src/index.ts'
import { openDatabase } from './fixture.ts'

const insertEffect = queryNone({
  name: 'test.insert-effect',
  parameters: { name: 'text' },
  text: 'INSERT INTO effects (name) VALUES (:name)',
})
const countEffects = queryOne({
  name: 'test.count-effects',
  parameters: { name: 'text' },
  text: 'SELECT count(*)::int AS count FROM effects WHERE name = :name',
  row: z.object({ count: z.number() }),
})
let fixture: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  fixture = await openDatabase()
})
afterAll(() => fixture.close())

const useOf = (key: string, body: unknown = {}): KeyUse => ({
  partnerId: 'prt_1',
  operation: 'test.effect',
  key,
  fingerprint: fingerprintOf({ id: 1 }, body),
  requestId: newId('request'),
  now: fixture.clock.now(),
})
const effect = (key: string, use: KeyUse) =>
  withIdempotency(fixture.db, use, async (tx) => {
    await insertEffect(tx, { name: key })
    return reply({ made: key }, 'created')
  })
const effectsOf = async (key: string) => (await countEffects(fixture.db, { name: key }))?.count

test('turns 32 parallel calls with one key into one effect and 32 equal answers', async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, () => effect('parallel', useOf('parallel'))))
  expect(await effectsOf('parallel')).toBe(1)
  expect(answers.map((answer) => answer.ok && answer.value)).toEqual(
    Array.from({ length: 32 }, () => ({ made: 'parallel' })),
  )
  const replayedIds = answers.flatMap((answer) =>
    answer.ok && answer.replay ? [answer.replay.requestId] : [],
  )
  expect(replayedIds).toHaveLength(31)
  expect(new Set(replayedIds).size).toBe(1)
})

test('ignores the order of keys in the body and refuses another body', async () => {
  await effect('order', useOf('order', { a: 1, b: [{ c: 2, d: 3 }] }))
  const same = await effect('order', useOf('order', { b: [{ d: 3, c: 2 }], a: 1 }))
  expect(same.ok && same.replay?.json).toBe('{"made":"order"}')
  expect(await effect('order', useOf('order', { a: 2 }))).toEqual({
    ok: false,
    code: 'idempotency_key_reuse',
  })
  expect(await effectsOf('order')).toBe(1)
})

test('releases the key and leaves nothing behind after a refusal or a failure', async () => {
  const refused = await withIdempotency(fixture.db, useOf('released'), async (tx) => {
    await insertEffect(tx, { name: 'released' })
    return refuse('limit_reached')
  })
  expect(refused).toEqual({ ok: false, code: 'limit_reached' })
  await expect(
    withIdempotency(fixture.db, useOf('released'), async (tx) => {
      await insertEffect(tx, { name: 'released' })
      throw new Error('crash')
    }),
  ).rejects.toThrow('crash')
  expect(await effectsOf('released')).toBe(0)
  expect(await effect('released', useOf('released'))).toEqual({
    ok: true,
    value: { made: 'released' },
    variant: 'created',
  })
})

test('allows a key again after seven days', async () => {
  await effect('old', useOf('old'))
  fixture.clock.advance(7 * 24 * 3_600_000 + 1)
  const again = await effect('old', useOf('old', { other: true }))
  expect(again).toEqual({ ok: true, value: { made: 'old' }, variant: 'created' })
  expect(await effectsOf('old')).toBe(2)
})
