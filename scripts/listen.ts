import { createApiClient, dataOf } from './demo/api-client.ts'
import { startReceiver } from './demo/receiver.ts'
import { findRunning } from './demo/running-platform.ts'

/** Registers a receiver for the ready partner and prints what it gets, until Ctrl-C takes it away again. */
const listen = async (): Promise<void> => {
  const platform = await findRunning()
  if (platform === null) throw new Error('No platform is running here: start one with `npx -y pnpm@12 start`')
  const receiver = await startReceiver({
    onDelivery: ({ verified, event }) =>
      console.log(`${verified ? 'verified' : 'NOT VERIFIED'} ${event.event_type} ${JSON.stringify(event)}`),
  })
  const staff = createApiClient({
    baseUrl: platform.baseUrl,
    headers: { authorization: `Bearer ${platform.operatorKey}` },
  })
  const path = `/api/operator/partners/${platform.partner.partnerId}/webhooks`
  const made = dataOf<{ webhook: { webhook_id: string }; webhook_secret: string }>(
    await staff.post(path, { url: receiver.url }),
  )
  receiver.trust(made.webhook_secret)
  console.log(`Listening for the ready partner's events at ${receiver.url}. Ctrl-C ends it.`)
  const stop = () =>
    void staff
      .delete(`${path}/${made.webhook.webhook_id}`)
      .then(() => receiver.stop())
      .then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

try {
  await listen()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
