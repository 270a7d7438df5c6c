import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Logger } from '../log.ts'

/** How long a refused subscription waits before it is tried again: permissions are changed by people. */
const RETRY_MS = 5_000

/** A subscription that outlives refusals. */
export type KeptSubscription = Readonly<{
  subject: string
  /** False while NATS refuses it: what is sent there does not arrive. */
  isOpen: () => boolean
  /** Ends it; what has arrived is still received. */
  drain: () => Promise<void>
}>

type Options = Readonly<{
  queue?: string
  receive: (message: Msg) => void
  log: Logger
  retryMs?: number
}>

/**
 * Subscribes, and tries again every five seconds while NATS refuses it, as it does where its permissions are older than
 * this process: they may be brought up to date after its start.
 */
export const keepSubscription = (
  connection: Pick<NatsConnection, 'subscribe' | 'flush' | 'isClosed'>,
  subject: string,
  { queue, receive, log, retryMs = RETRY_MS }: Options,
): KeptSubscription => {
  let isEnding = false
  let timer: NodeJS.Timeout | undefined
  let isRefused = false
  let subscription: Subscription

  const refuse = (error: Error) => {
    if (!isRefused) log.error({ event: 'bus.subscription_failed', error, subject }, 'A subscription failed')
    isRefused = true
    if (!isEnding) timer = setTimeout(() => void open(), retryMs).unref()
  }
  const open = async () => {
    const current = connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => {
        if (error) refuse(error)
        else receive(message)
      },
    })
    subscription = current
    if (!isRefused) return
    // The server answers in order: by its answer to this, a refusal has arrived.
    await connection.flush()
    if (current.isClosed()) return
    isRefused = false
    log.info({ event: 'bus.subscribed', subject }, 'A subscription that had failed is open')
  }
  void open()
  return {
    subject,
    isOpen: () => !isRefused,
    async drain() {
      isEnding = true
      clearTimeout(timer)
      if (!connection.isClosed() && !subscription.isClosed()) await subscription.drain()
    },
  }
}
