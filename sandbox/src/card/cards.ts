import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { Router } from 'express'
import { cardControls } from './controls.ts'
import { createDisputes } from './disputes.ts'
import { createNotices } from './notices.ts'
import { pageRoutes } from './page/routes.ts'
import { createPayments } from './payments.ts'
import { createPosts } from './posts.ts'
import { createRefunds } from './refunds.ts'
import { cardRoutes, traitsOf } from './routes.ts'
import { createCardTables } from './schema.ts'
import { runSender } from './sender.ts'

const DISPUTE_POLL_MS = 500

/** The card processors: their API, their hosted page, what they are told to do, and their notices. */
export type Cards = Readonly<{
  api: Router
  page: Router
  controls: Router
  /** Begins to post notices and to dispute what falls due. */
  start: () => void
  /** Resolves when nothing is posted any more. `stopping` must have fired. */
  stopped: () => Promise<void>
}>

/** @param pageBaseUrl where payers reach the hosted page, known once the sandbox listens */
export const createCards = (options: {
  database: DatabaseSync
  clock: Clock
  secret: string
  pageBaseUrl: () => string
  stopping: AbortSignal
}): Cards => {
  const { database, clock, secret, pageBaseUrl, stopping } = options
  createCardTables(database)
  const notices = createNotices(database, clock)
  const posts = createPosts(secret, clock, stopping)
  const payments = createPayments(database, notices, clock)
  const refunds = createRefunds(database, notices, clock)
  const disputes = createDisputes(database, notices, clock)
  let sending: Promise<void> = Promise.resolve()

  const disputeWhatIsDue = (): void => {
    for (const payment of payments.takeDueForDispute(clock.nowMs()))
      disputes.open(traitsOf(payment.processor), payment, { cents: undefined, currency: undefined })
  }

  return {
    api: cardRoutes({
      payments,
      refunds,
      disputes,
      pageUrlOf: ({ pageToken }) => `${pageBaseUrl()}/pay/${pageToken}`,
    }),
    page: pageRoutes({ payments, posts, clock }),
    controls: cardControls({ payments, refunds, disputes, notices, posts }),
    start: () => {
      clock.onMoved(notices.added.notify)
      sending = runSender({ notices, posts, clock, stopping })
      const timer = setInterval(disputeWhatIsDue, DISPUTE_POLL_MS)
      stopping.addEventListener('abort', () => clearInterval(timer))
    },
    stopped: () => sending,
  }
}
