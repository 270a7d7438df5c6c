import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { destinations } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createResolver } from '../../src/connect-guard/resolver.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { SPELLINGS } from './spellings.ts'

/** Every address that was dialled; nothing is opened. */
const dialled: string[] = []
let harness: Harness
beforeAll(async () => {
  harness = await startHarness(
    {
      resolve: createResolver(),
      dial: async ({ address }) => {
        dialled.push(address)
        throw new Error('The recorder dials nothing')
      },
    },
    { allowInsecure: false },
  )
})
afterAll(() => harness.stop())

const register = async (url: string) => {
  const caller = { kind: 'operator', actor: 'test' } as const
  const params = { partnerId: newId('partner') }
  const ask = {
    caller,
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: false,
    params,
    body: { url },
  }
  const created = await call(harness.bus, harness.clock, destinations.create, ask)
  return created.ok ? null : created
}

/** Stores a URL that registration would refuse. @returns the record of its first attempt */
const attemptStored = async (url: string) => {
  const partnerId = newId('partner')
  const { webhook } = await harness.createWebhook(partnerId, 'https://hooks.example.org/')
  await harness.sql(
    `WITH changed AS (UPDATE destination_revision SET revision = revision + 1 RETURNING revision)
     UPDATE destinations SET url = $2, revision = changed.revision FROM changed WHERE id = $1`,
    [webhook.webhook_id, url],
  )
  // The reply to another change comes after this one is read.
  await harness.createWebhook(newId('partner'), 'https://hooks.example.org/')
  await harness.publishEvent(paymentEvent(partnerId))
  return eventually(async () => {
    const [delivery] = await harness.deliveriesOf(partnerId, webhook.webhook_id)
    const [attempt] = delivery?.attempts ?? []
    return delivery && attempt ? [delivery.status, attempt.status_code, attempt.error] : undefined
  })
}

const titled = (spellings: typeof SPELLINGS) =>
  spellings.map((spelling) => [spelling.what, JSON.stringify(spelling.url), spelling] as const)

describe('an address that no delivery may reach', () => {
  test.each(titled(SPELLINGS.filter(({ refusal }) => refusal !== null)))(
    'is refused when it is registered: %s, %s',
    async (_what, _text, { url, refusal }) => {
      expect(await register(url)).toMatchObject({
        code: 'invalid_request',
        details: [{ field: 'url', reason: refusal }],
      })
    },
  )

  test.each(titled(SPELLINGS.filter(({ refusal }) => refusal !== 'invalid_value')))(
    'is not dialled when it is stored in the database: %s, %s',
    async (_what, _text, { url }) => {
      expect(await attemptStored(url)).toEqual(['waiting', null, 'forbidden address'])
    },
  )

  test('is never dialled', () => {
    expect(dialled).toEqual([])
  })
})
