import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { paymentEvent, startHarness } from '../harness.ts'
import { startReceiver } from '../receiver.ts'

test('the metrics show how many deliveries wait', async () => {
  const harness = await startHarness()
  const receiver = await startReceiver((response) => response.writeHead(503).end())
  const partnerId = newId('partner')
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  for (let count = 0; count < 3; count += 1) await harness.publish(paymentEvent(partnerId))
  await eventually(async () => {
    const listed = await harness.deliveriesOf(partnerId, webhook.webhook_id)
    return listed.length === 3 && listed.every((delivery) => delivery.attempts.length === 1)
  })
  const { healthPort } = await harness.startReplica()
  const line = await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
    return /^causeway_webhook_deliveries_waiting.* 3$/m.exec(text)?.[0]
  })
  expect(line).toMatch(/ 3$/)
  await receiver.close()
  await harness.stop()
})
