import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { destinations } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { paymentEvent, startHarness } from '../harness.ts'
import { startReceiver } from '../receiver.ts'

test('exports how many deliveries wait or are dead, and how long one has been due', async () => {
  const harness = await startHarness()
  const receiver = await startReceiver((response) => response.writeHead(503).end())
  const partnerId = newId('partner')
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  for (let count = 0; count < 3; count += 1) await harness.publishEvent(paymentEvent(partnerId))
  await eventually(async () => {
    const listed = await harness.deliveriesOf(partnerId, webhook.webhook_id)
    return listed.length === 3 && listed.every((delivery) => delivery.attempts.length === 1)
  })
  const refusing = await startReceiver((response) => response.writeHead(404).end())
  const other = newId('partner')
  await harness.createWebhook(other, refusing.url)
  await harness.publishEvent(paymentEvent(other))
  await eventually(async () => {
    const [row] = await harness.sql<{ dead: number }>(
      "SELECT count(*)::integer AS dead FROM deliveries WHERE state = 'dead'",
    )
    return row?.dead === 1
  })
  // What waits at a disabled destination, or for a disabled partner, is late on purpose.
  const disabling = await call(harness.bus, harness.clock, destinations.update, {
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: false,
    caller: { kind: 'operator', actor: 'test' },
    params: { partnerId, webhookId: webhook.webhook_id },
    body: { status: 'disabled' },
  })
  expect(disabling).toMatchObject({ ok: true })
  const disabledPartnerId = newId('partner')
  await harness.createWebhook(disabledPartnerId, receiver.url)
  await harness.publishEvent(paymentEvent(disabledPartnerId))
  await eventually(async () => {
    const [row] = await harness.sql<{ waiting: number }>(
      "SELECT count(*)::integer AS waiting FROM deliveries WHERE state = 'waiting'",
    )
    return row?.waiting === 4
  })
  await harness.setDisabledPartners(1, [disabledPartnerId])
  await harness.sql("UPDATE deliveries SET due_at = $1 WHERE state = 'waiting'", [
    new Date(harness.clock.nowMs() - 7_200_000),
  ])
  // Of a destination that nobody sends to, as if the engine stood still.
  await harness.sql(
    `UPDATE deliveries SET destination_id = 'none', due_at = $1
     WHERE id = (SELECT min(id) FROM deliveries WHERE state = 'waiting')`,
    [new Date(harness.clock.nowMs() - 3_600_000)],
  )
  const { healthPort } = await harness.startReplica()
  const line = await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
    return /^causeway_webhook_deliveries_waiting.* 4$/m.exec(text)?.[0]
  })
  expect(line).toMatch(/ 4$/)
  const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
  expect(text).toMatch(/^causeway_webhook_deliveries_dead\S* 1$/m)
  expect(text).toMatch(/^causeway_webhook_oldest_due_age_seconds\S* 36\d\d(\.\d+)?$/m)
  await refusing.close()
  await receiver.close()
  await harness.stop()
})
