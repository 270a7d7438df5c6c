import { newId, relay } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { destinations, type Operation } from '@causeway/contracts'
import { startHarness, type Harness } from '../harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const URLS = ['https://one.example/', 'https://two.example/'] as const

/** The values before a change, as the gateway's audit log gets them. */
const beforeOf = async (operation: Operation, params: Record<string, string>, body?: unknown) => {
  const answer = await relay(harness.bus, harness.clock, operation.subject, {
    requestId: newId('request'),
    callerJson: JSON.stringify({ kind: 'operator', actor: 'test' }),
    timeoutMs: TEST_DEADLINE_MS,
    safe: false,
    paramsJson: JSON.stringify(params),
    bodyJson: body === undefined ? undefined : JSON.stringify(body),
  })
  return answer.ok ? answer.before : answer
}

test("records a destination's previous values in the audit log when it is changed or deleted", async () => {
  const partnerId = newId('partner')
  const { webhook } = await harness.createWebhook(partnerId, URLS[0], ['payment.pending'])
  const params = { partnerId, webhookId: webhook.webhook_id }
  const change = { url: URLS[1], event_types: ['payment.expired'] }
  expect(await beforeOf(destinations.update, params, change)).toEqual({ webhook })
  expect(await beforeOf(destinations.update, params, { url: URLS[0] })).toEqual({
    webhook: { ...webhook, ...change },
  })
  expect(await beforeOf(destinations.delete, params)).toEqual({
    webhook: { ...webhook, event_types: ['payment.expired'] },
  })
})
