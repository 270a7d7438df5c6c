import { startReceiver, type ReceivedDelivery } from './demo/receiver.ts'
import { readArguments, USAGE } from './listen/arguments.ts'
import { subscribe } from './listen/subscription.ts'

const print = ({ verified, fault, event }: ReceivedDelivery): void => {
  const name = 'event_type' in event ? event.event_type : String(event['event' as never])
  console.log(`${verified ? 'verified' : `NOT VERIFIED (${String(fault)})`} ${name} ${JSON.stringify(event)}`)
}

/** Registers a webhook, prints its deliveries, and removes it at Ctrl-C. */
const listen = async (): Promise<void> => {
  const listening = await readArguments(process.argv.slice(2), process.env)
  if (listening === null) {
    console.log(USAGE)
    return
  }
  const { baseUrl, subject } = listening
  const receiver = await startReceiver({ onDelivery: print, port: listening.port })
  const subscription = await subscribe(baseUrl, subject, listening.publicUrl ?? receiver.url).catch(
    async (error: unknown) => {
      await receiver.stop()
      throw error
    },
  )
  receiver.trust(subscription.secret)
  const whose = subject.channel === 'partner' ? `partner ${subject.partnerId}` : 'the merchant'
  console.log(`Listening for the events of ${whose} at ${subscription.url}. Ctrl-C ends it.`)
  const end = () =>
    void subscription
      .remove()
      .catch((error: unknown) => {
        console.error(`The webhook ${subscription.id} is still registered: ${String(error)}`)
        process.exitCode = 1
      })
      .then(() => receiver.stop())
      .then(() => process.exit())
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}

try {
  await listen()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
