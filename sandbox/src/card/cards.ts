import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { Router } from 'express'
import { cardControls } from './controls.ts'
import { createDisputes } from './disputes.ts'
import { createNotices } from './notices.ts'
import { pageRoutes } from './page/routes.ts'
import { createPayments } from './payments.ts'
import { createCallbackClient, type CallbackOptions } from '../http/callback-client.ts'
import { createRefunds } from './refunds.ts'
import { cardRoutes, traitsOf } from './routes.ts'
import { createCardTables } from './schema.ts'
import { settlementControls } from './settlement-controls.ts'
import { type BookPayout, createSettlements } from './settlements.ts'
import { runNoticeSender } from './notice-sender.ts'

const DISPUTE_POLL_MS = 500

/** The simulated card processors: their API, their hosted page, their control endpoints and their notices. */
export type Cards = Readonly<{
  api: Router
  page: Router
  controls: Router
  /** Starts sending notices and opening disputes at their due times. */
  start: () => void
  /** Resolves when sending has ended. `stopping` must be aborted first. */
  stopped: () => Promise<void>
}>

/** @param pageBaseUrl base URL for payers, known once the sandbox listens */
export const createCards = (options: {
  database: DatabaseSync
  clock: Clock
  secret: string
  pageBaseUrl: () => string
  stopping: AbortSignal
  platformWaitMs: number
  callback: CallbackOptions
  bookPayout: BookPayout
}): Cards => {
  const { database, clock, secret, pageBaseUrl, stopping } = options
  createCardTables(database)
  const notices = createNotices(database, clock)
  const callbacks = createCallbackClient(secret, clock, { stopping, ...options.callback })
  const payments = createPayments(database, notices, clock)
  const refunds = createRefunds(database, notices, clock)
  const disputes = createDisputes(database, notices, clock)
  const settlements = createSettlements(database, clock, options.bookPayout)
  let sending: Promise<void> = Promise.resolve()

  const openDueDisputes = (): void => {
    for (const payment of payments.claimDueForDispute(clock.nowMs()))
      disputes.open(traitsOf(payment.processor), payment, { cents: undefined, currency: undefined })
  }

  return {
    api: cardRoutes({
      payments,
      refunds,
      disputes,
      settlements,
      pageUrlOf: ({ pageToken }) => `${pageBaseUrl()}/pay/${pageToken}`,
    }),
    page: pageRoutes({ payments, callbacks, clock }),
    controls: cardControls({
      payments,
      refunds,
      disputes,
      notices,
      callbacks,
      platformWaitMs: options.platformWaitMs,
    }).use(settlementControls(settlements)),
    start: () => {
      clock.onMoved(notices.added.notify)
      sending = runNoticeSender({ notices, callbacks, clock, stopping })
      const timer = setInterval(openDueDisputes, DISPUTE_POLL_MS)
      stopping.addEventListener('abort', () => clearInterval(timer))
    },
    stopped: () => sending,
  }
}
