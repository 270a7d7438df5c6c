import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { Router } from 'express'
import { createPosts } from '../card/posts.ts'
import { createOnrampOrders } from './orders.ts'
import { onrampControls, onrampPage, onrampRoutes, presentOnrampOrder } from './routes.ts'
import { runOnrampSender } from './sender.ts'

/** The onramp provider: its API, where payers would buy, what it is told to do, and its notices. */
export type Onramp = Readonly<{
  api: Router
  page: Router
  controls: Router
  /** Begins to post notices. */
  start: () => void
  /** Resolves when nothing is posted any more. `stopping` must have fired. */
  stopped: () => Promise<void>
}>

/** @param pageBaseUrl where payers reach the sandbox, known once it listens */
export const createOnramp = (options: {
  database: DatabaseSync
  clock: Clock
  secret: string
  pageBaseUrl: () => string
  stopping: AbortSignal
}): Onramp => {
  const { database, clock, secret, pageBaseUrl, stopping } = options
  const orders = createOnrampOrders(database, clock, (order) =>
    JSON.stringify({ provider: 'provider', order: presentOnrampOrder(order, pageBaseUrl(), 'complete') }),
  )
  const posts = createPosts(secret, clock, stopping)
  let sending: Promise<void> = Promise.resolve()
  return {
    api: onrampRoutes(orders, pageBaseUrl),
    page: onrampPage(orders),
    controls: onrampControls(orders),
    start: () => {
      clock.onMoved(orders.noticed.notify)
      sending = runOnrampSender({ database, posts, clock, noticed: orders.noticed, stopping })
    },
    stopped: () => sending,
  }
}
