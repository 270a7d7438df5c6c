import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, newId } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { EXPECTED_URL, integrations } from '@causeway/contracts'
import { newPartner, startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
  // Limits and uniqueness must hold whichever replica is asked.
  await payments.addReplica()
})
afterAll(() => payments.stop())

const requestId = newId('request')
const asked = { requestId, timeoutMs: TEST_DEADLINE_MS, safe: false }
const body = (name: string) => ({ name, return_url: 'https://shop.example/done' })
/** Repeats a call that answers 503, as the specification says: on a slow machine some wait long. */
const answered = async <A extends { ok: boolean; code?: string }>(ask: () => Promise<A>): Promise<A> => {
  const answer = await ask()
  return answer.code === 'temporarily_unavailable' ? answered(ask) : answer
}
let keys = 0
const create = (caller: Partner, customerId: string, sent: unknown, idempotencyKey = `key-${(keys += 1)}`) =>
  answered(() =>
    call(payments.bus, payments.clock, integrations.create, {
      ...asked,
      caller,
      params: { customerId },
      body: sent as never,
      idempotencyKey,
    }),
  )
const list = (caller: Partner, customerId: string) =>
  answered(() =>
    call(payments.bus, payments.clock, integrations.list, {
      ...asked,
      caller,
      params: { customerId },
      query: {},
    }),
  )
const remove = (caller: Partner, customerId: string, integrationId: string) =>
  answered(() =>
    call(payments.bus, payments.clock, integrations.delete, {
      ...asked,
      caller,
      params: { customerId, integrationId },
    }),
  )
const namesOf = async (caller: Partner, customerId: string) => {
  const answer = await list(caller, customerId)
  return answer.ok ? answer.value.integrations.map(({ name }) => name) : answer
}

describe('checkout integrations', () => {
  it('start with the default one for every customer, which is created only once, even after its deletion', async () => {
    const { partner, customerId } = payments.newCustomer()
    const lists = await Promise.all(Array.from({ length: 8 }, () => namesOf(partner, customerId)))
    expect(lists).toEqual(Array.from({ length: 8 }, () => ['Default']))
    const answer = await list(partner, customerId)
    const [first] = answer.ok ? answer.value.integrations : []
    expect(first).toMatchObject({
      psp: 'Sandbox',
      return_url: null,
      failure_url: null,
      contact_url: null,
      updated_at: null,
    })

    expect(await remove(partner, customerId, first?.integration_id ?? '')).toMatchObject({
      ok: false,
      code: 'invalid_state',
    })
    await create(partner, customerId, body('Second'))
    expect(await remove(partner, customerId, first?.integration_id ?? '')).toMatchObject({ ok: true })
    expect(await namesOf(partner, customerId)).toEqual(['Second'])
  })

  it('are limited to exactly 25 by 40 concurrent creations', async () => {
    const { partner, customerId } = payments.newCustomer()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => create(partner, customerId, body(`n${n}`))),
    )
    expect(answers.filter((answer) => answer.ok)).toHaveLength(24)
    expect(answers.filter((answer) => !answer.ok)).toEqual(
      Array.from({ length: 16 }, () => ({ ok: false, code: 'limit_reached' })),
    )
    expect(await namesOf(partner, customerId)).toHaveLength(25)
  })

  it('refuse a taken name before a reached limit', async () => {
    const { partner, customerId } = payments.newCustomer()
    for (let n = 0; n < 24; n += 1) await create(partner, customerId, body(`n${n}`))
    expect(await create(partner, customerId, body('n0'))).toEqual({ ok: false, code: 'name_conflict' })
    expect(await create(partner, customerId, body('new'))).toEqual({ ok: false, code: 'limit_reached' })
  })

  it('take a name once under concurrent calls, and free it with its deletion', async () => {
    const { partner, customerId } = payments.newCustomer()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create(partner, customerId, body('Shop'))),
    )
    const made = answers.flatMap((answer) => (answer.ok ? [answer.value.integration] : []))
    expect(made).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok && answer.code === 'name_conflict')).toHaveLength(9)
    await remove(partner, customerId, made[0]?.integration_id ?? '')
    expect(await create(partner, customerId, body('Shop'))).toMatchObject({ ok: true })
  })

  it('keep one, however many are deleted concurrently', async () => {
    const { partner, customerId } = payments.newCustomer()
    for (const name of ['a', 'b', 'c']) await create(partner, customerId, body(name))
    const answer = await list(partner, customerId)
    const ids = answer.ok ? answer.value.integrations.map(({ integration_id: id }) => id) : []
    expect(ids).toHaveLength(4)
    const answers = await Promise.all([...ids, ...ids].map((id) => remove(partner, customerId, id)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
    expect(await namesOf(partner, customerId)).toHaveLength(1)
    const [last] = ids.filter((id, index) => !answers[index]?.ok && !answers[index + ids.length]?.ok)
    expect(await remove(partner, customerId, last ?? '')).toMatchObject({ code: 'invalid_state' })
  })

  it('stay between one and 25 under concurrent creations and deletions', async () => {
    const { partner, customerId } = payments.newCustomer()
    for (let n = 0; n < 24; n += 1) await create(partner, customerId, body(`n${n}`))
    const answer = await list(partner, customerId)
    const [first] = answer.ok ? answer.value.integrations : []
    const raced = Array.from({ length: 6 }, (_, n) => create(partner, customerId, body(`late${n}`)))
    const [removed, ...made] = await Promise.all([
      remove(partner, customerId, first?.integration_id ?? ''),
      ...raced,
    ])
    expect(removed.ok).toBe(true)
    expect(made.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1)
    expect(await namesOf(partner, customerId)).toHaveLength(24 + made.filter(({ ok }) => ok).length)
  })

  it('replay the reply of a key, refuse another body, and release the key at a refusal', async () => {
    const { partner, customerId } = payments.newCustomer()
    const first = await create(partner, customerId, body('Once'), 'the-key')
    const again = await create(partner, customerId, body('Once'), 'the-key')
    expect(again).toMatchObject({ ...first, replay: { requestId } })
    expect(await create(partner, customerId, body('Other'), 'the-key')).toEqual({
      ok: false,
      code: 'idempotency_key_reuse',
    })
    expect(await create(partner, customerId, body('Once'), 'released')).toEqual({
      ok: false,
      code: 'name_conflict',
    })
    expect(await create(partner, customerId, body('Fresh'), 'released')).toMatchObject({ ok: true })
  })

  it.each([
    [
      { ...body('x'), psp: 'other' },
      { field: 'psp', reason: 'unknown_field' },
    ],
    [
      { ...body('x'), merchant_webhook_url: 'https://a.example' },
      { field: 'merchant_webhook_url', reason: 'unknown_field' },
    ],
    [{ return_url: 'https://a.example' }, { field: 'name', reason: 'required' }],
    [{ name: 'x' }, { field: 'return_url', reason: 'required' }],
    [body('x'.repeat(101)), { field: 'name', reason: 'too_long', expected: 'at most 100 characters' }],
    [
      { name: 'x', return_url: 'http://a.example' },
      { field: 'return_url', reason: 'not_https', expected: EXPECTED_URL },
    ],
    [
      { name: 'x', return_url: 'javascript:alert(1)' },
      { field: 'return_url', reason: 'not_https', expected: EXPECTED_URL },
    ],
    [
      { name: 'x', return_url: 'https://a.example/\n' },
      {
        field: 'return_url',
        reason: 'invalid_value',
        expected: 'https://, a host and no credentials; no blank, control character or backslash',
      },
    ],
    [
      { ...body('x'), failure_url: 'nonsense' },
      {
        field: 'failure_url',
        reason: 'invalid_value',
        expected: 'https://, a host and no credentials; no blank, control character or backslash',
      },
    ],
    [
      { ...body('x'), contact_url: 'https://user:pass@a.example' },
      {
        field: 'contact_url',
        reason: 'invalid_value',
        expected: 'https://, a host and no credentials; no blank, control character or backslash',
      },
    ],
  ])('refuse %j by the field and its reason', async (sent, detail) => {
    const { partner, customerId } = payments.newCustomer()
    expect(await create(partner, customerId, sent)).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [detail],
    })
  })

  it("are refused with the same reply for another partner's, a revoked and an unknown customer", async () => {
    const { partner, customerId } = payments.newCustomer()
    const known = await list(partner, customerId)
    const integrationId = known.ok ? (known.value.integrations[0]?.integration_id ?? '') : ''
    const stranger = newPartner()
    const refused = { ok: false, code: 'resource_not_found' }
    for (const id of [customerId, newId('relationship')]) {
      expect(await list(stranger, id)).toEqual(refused)
      expect(await create(stranger, id, body('x'))).toEqual(refused)
      expect(await remove(stranger, id, integrationId)).toEqual(refused)
    }
    expect(await remove(partner, customerId, newId('integration'))).toEqual(refused)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () => expect(await list(partner, customerId)).toEqual(refused))
    expect(await create(partner, customerId, body('x'))).toEqual(refused)
  })

  it('are not replayed after a revocation, and are replayed again after a reinstatement', async () => {
    const { partner, customerId } = payments.newCustomer()
    const made = await create(partner, customerId, body('x'), 'seen')
    if (!made.ok) throw new Error(made.code)
    const refused = { ok: false, code: 'resource_not_found' }
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () =>
      expect(await create(partner, customerId, body('x'), 'seen')).toEqual(refused),
    )
    expect(await create(partner, customerId, body('y'), 'seen')).toEqual(refused)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'active' }))
    await payments.eventually(async () =>
      expect(await create(partner, customerId, body('x'), 'seen')).toMatchObject({
        ok: true,
        value: made.value,
        replay: {},
      }),
    )
  })
})
