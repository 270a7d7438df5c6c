import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { Router } from 'express'
import { createCallbackClient, type CallbackOptions } from '../http/callback-client.ts'
import { createOnrampOrders } from './orders.ts'
import { onrampPage, type SendCrypto } from './page-routes.ts'
import { onrampControls, onrampRoutes, presentOnrampOrder } from './routes.ts'
import { runOnrampNoticeSender } from './notice-sender.ts'

/** The simulated onramp provider: its API, its checkout page, its control endpoints and its notices. */
export type Onramp = Readonly<{
  api: Router
  page: Router
  controls: Router
  /** Starts sending notices. */
  start: () => void
  /** Resolves when sending has ended. `stopping` must be aborted first. */
  stopped: () => Promise<void>
}>

/** @param pageBaseUrl base URL for payers, known once the sandbox listens */
export const createOnramp = (options: {
  database: DatabaseSync
  clock: Clock
  secret: string
  pageBaseUrl: () => string
  stopping: AbortSignal
  sendCrypto: SendCrypto
  platformWaitMs: number
  callback: CallbackOptions
}): Onramp => {
  const { database, clock, secret, pageBaseUrl, stopping } = options
  const orders = createOnrampOrders(database, clock, (order) =>
    JSON.stringify({ provider: 'provider', order: presentOnrampOrder(order, pageBaseUrl(), 'complete') }),
  )
  const callbacks = createCallbackClient(secret, clock, { stopping, ...options.callback })
  let sending: Promise<void> = Promise.resolve()
  return {
    api: onrampRoutes(orders, pageBaseUrl),
    page: onrampPage(orders, options.sendCrypto),
    controls: onrampControls(orders, options.platformWaitMs),
    start: () => {
      clock.onMoved(orders.noticed.notify)
      sending = runOnrampNoticeSender({ database, callbacks, clock, noticed: orders.noticed, stopping })
    },
    stopped: () => sending,
  }
}
