import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createClock } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { type CardFixture, startCardFixture } from './card-fixture.ts'
import { startFakePlatform } from './fake-platform.ts'
import { startSandbox } from '../src/testing/index.ts'

type Posted = { notice_id: string; event: string; order_key: string }

describe('card notices', () => {
  let fixture: CardFixture

  afterEach(async () => {
    await fixture.stop()
  })

  const posted = (): Posted[] =>
    fixture.platform.notices.map(({ body }) => JSON.parse(Buffer.from(body).toString('utf8')) as Posted)
  const arrived = (count: number) =>
    eventually(async () => {
      const seen = posted()
      if (seen.length < count) throw new Error(`${seen.length} of ${count} notices`)
      return seen
    })
  const setOutcome = async (orderKey: string, outcome: string) => {
    const answer = await fixture.post(`card-payments/${orderKey}`, { outcome })
    expect(answer.status).toBe(200)
  }

  test('repeats an unacknowledged notice byte for byte until it is acknowledged', async () => {
    fixture = await startCardFixture()
    fixture.platform.answerNotices(503, 301, 400)
    const { orderKey } = await fixture.checkout()
    await setOutcome(orderKey, 'completed')
    await arrived(4)
    const bodies = fixture.platform.notices.map(({ body }) => Buffer.from(body).toString('utf8'))
    expect(bodies).toEqual(Array.from({ length: 4 }, () => bodies[0]))
    await setOutcome(orderKey, 'expired')
    expect((await arrived(5)).at(-1)).toMatchObject({ event: 'payment.expired', order_key: orderKey })
  })

  test('signs every attempt separately, with a valid signature', async () => {
    fixture = await startCardFixture()
    fixture.platform.answerNotices(500)
    await setOutcome((await fixture.checkout()).orderKey, 'completed')
    await arrived(2)
    for (const { headers, body } of fixture.platform.notices)
      expect(await fixture.parts.verifyNotice(headers, body, new Date())).toMatchObject({ ok: true })
  })

  test('refuses a notice that another processor signed', async () => {
    fixture = await startCardFixture()
    const { orderKey } = await fixture.checkout({}, fixture.full)
    await setOutcome(orderKey, 'completed')
    await arrived(1)
    const [notice] = fixture.platform.notices
    if (!notice) throw new Error('no notice')
    expect(await fixture.parts.verifyNotice(notice.headers, notice.body, new Date())).toEqual({
      ok: false,
      reason: 'malformed',
    })
  })

  test('sends a notice as many times as set, always with one id', async () => {
    fixture = await startCardFixture()
    expect(await fixture.put('card-notices', { copies: 10 })).toEqual({
      status: 200,
      body: { copies: 10, delay_ms: 0 },
    })
    await setOutcome((await fixture.checkout()).orderKey, 'completed')
    expect(new Set((await arrived(10)).map(({ notice_id }) => notice_id)).size).toBe(1)
  })

  test('sends a notice to the base URL of the settings, on the path that the platform named', async () => {
    const reached = await startFakePlatform()
    fixture = await startCardFixture({ callbackBaseUrl: reached.url })
    await setOutcome((await fixture.checkout()).orderKey, 'completed')
    await eventually(() => reached.notices.length === 1)
    expect(posted()).toEqual([])
    await reached.close()
  })

  test('delivers a delayed notice after a later one', async () => {
    const startedMs = Date.now()
    const clock = createClock(() => startedMs)
    fixture = await startCardFixture({}, clock)
    const { orderKey } = await fixture.checkout()
    await fixture.put('card-notices', { delay_ms: 3_600_000 })
    await setOutcome(orderKey, 'processing')
    await fixture.put('card-notices', {})
    await setOutcome(orderKey, 'completed')
    expect((await arrived(1)).map(({ event }) => event)).toEqual(['payment.completed'])
    clock.advance(3_600_000)
    // The sender reads the clock again when it sends the next notice.
    await setOutcome((await fixture.checkout()).orderKey, 'processing')
    const ofOrder = (await arrived(3)).filter((notice) => notice.order_key === orderKey)
    expect(ofOrder.map(({ event }) => event)).toEqual(['payment.completed', 'payment.processing'])
  })

  test('sends no notice when copies is 0', async () => {
    fixture = await startCardFixture()
    const { orderKey } = await fixture.checkout()
    await fixture.put('card-notices', { copies: 0 })
    await setOutcome(orderKey, 'processing')
    await fixture.put('card-notices', { copies: 1 })
    await setOutcome(orderKey, 'completed')
    expect((await arrived(1)).map(({ event }) => event)).toEqual(['payment.completed'])
  })

  test.each([
    [{ copies: -1 }, 'copies', 'too_small'],
    [{ copies: 101 }, 'copies', 'too_big'],
    [{ delay_ms: 0.5 }, 'delay_ms', 'invalid_type'],
    [{ delay: 1 }, 'delay', 'unknown_field'],
  ])('refuses the settings %j by field', async (body, field, reason) => {
    fixture = await startCardFixture()
    const answer = await fixture.put('card-notices', body)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: [{ field, reason }] } },
    })
  })

  test('delivers an undelivered notice after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-cards-'))
    try {
      fixture = await startCardFixture({ dataFolder: folder })
      await fixture.put('card-notices', { delay_ms: 2_000 })
      const { orderKey } = await fixture.checkout()
      await setOutcome(orderKey, 'completed')
      await fixture.sandbox.stop()
      const next = await startSandbox({ dataFolder: folder })
      expect(await arrived(1)).toMatchObject([{ event: 'payment.completed', order_key: orderKey }])
      await next.stop()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
