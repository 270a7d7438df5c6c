import {
  chargebackCases,
  deliveries,
  parkedEvents,
  payouts,
  payoutWallets,
  pendingActions,
  differences,
  reconciliation,
  refunds,
  reviews,
  unattributedMoney,
  type ErrorCode,
} from '@causeway/contracts'
import type { StaffRequest } from '../../frame.ts'
import {
  CASES_PATH,
  CHARGEBACKS_PATH,
  DEAD_DELIVERIES_PATH,
  PARKED_EVENTS_PATH,
  PAYOUT_WALLETS_PATH,
  PAYOUTS_PATH,
  PENDING_ACTIONS_PATH,
  RECONCILIATION_PATH,
  REFUNDS_PATH,
  UNATTRIBUTED_MONEY_PATH,
} from '../paths.ts'
import { DIFFERENCES_PATH } from '../../books/words.ts'

/** Maximum number of entries to count; longer queues show "100 or more". */
export const COUNTED = 100
const query = { limit: String(COUNTED) }

/** Number of entries of a queue, up to {@link COUNTED}, with the time of the first; or the error of the read. */
export type QueueState =
  | Readonly<{ ok: true; count: number; hasMore: boolean; since: string | null }>
  | Readonly<{ ok: false; code: ErrorCode }>

export type Queue = Readonly<{
  title: string
  path: string
  /** Instruction for handling an entry. */
  advice: string
  /** Label of the first entry's time. */
  sinceText: string
  read: (ask: StaffRequest['ask']) => Promise<QueueState>
}>

const counted = (times: readonly string[], next: string | null): QueueState => ({
  ok: true,
  count: times.length,
  hasMore: next !== null,
  since: times[0] ?? null,
})

/** The queues of staff, most urgent first. */
export const QUEUES: readonly Queue[] = [
  {
    title: 'Waiting for a second person',
    path: PENDING_ACTIONS_PATH,
    advice: 'Confirm or decline what a colleague requested.',
    sinceText: 'Oldest waiting since',
    async read(ask) {
      const reply = await ask(pendingActions.list, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.pending_actions.map((row) => row.requested_at),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Cases to review',
    path: CASES_PATH,
    advice: 'Approve or reject them, or raise a requirement.',
    sinceText: 'Oldest waiting since',
    async read(ask) {
      const reply = await ask(reviews.list, { query: { ...query, status: 'pending' } })
      if (!reply.ok) return reply
      const { verifications, next_cursor: next } = reply.value
      return counted(
        verifications.map((row) => row.edited_at ?? row.submitted_at ?? row.created_at),
        next,
      )
    },
  },
  {
    title: 'Pending refunds',
    path: REFUNDS_PATH,
    advice: 'They are retried automatically. If one stays pending, contact the processor.',
    sinceText: 'Oldest created',
    async read(ask) {
      const reply = await ask(refunds.listPending, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.refunds.map((row) => row.created_at),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Reconciliation differences',
    path: RECONCILIATION_PATH,
    advice: 'The platform and a processor have different data about a refund. Find out which is correct.',
    sinceText: 'Oldest found',
    async read(ask) {
      const reply = await ask(reconciliation.get, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.differences.map((row) => row.found_at),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Differences of the books',
    path: DIFFERENCES_PATH,
    advice: 'A settlement report and the books disagree. Find out which is correct, then close it.',
    sinceText: 'Oldest found',
    async read(ask) {
      const reply = await ask(differences.list, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.differences.map((row) => row.found_at),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Unattributed money',
    path: UNATTRIBUTED_MONEY_PATH,
    advice: 'Money that counts for no order. Refund it, or settle it with the merchant.',
    sinceText: 'Oldest arrived',
    async read(ask) {
      const reply = await ask(unattributedMoney.list, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.unattributed_money.map((row) => row.received_at),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Payout destinations to confirm',
    path: PAYOUT_WALLETS_PATH,
    advice: 'Verify each with its customer, then confirm or refuse it.',
    sinceText: 'Oldest added',
    async read(ask) {
      const reply = await ask(payoutWallets.listByStaff, { query: { ...query, status: 'waiting' } })
      if (!reply.ok) return reply
      const { payout_wallets: rows, next_cursor: next } = reply.value
      const unconfirmed = rows.filter((row) => row.confirmed_at === null && row.proved_at === null)
      return counted(
        unconfirmed.map((row) => row.created_at),
        next,
      )
    },
  },
  {
    title: 'Payouts to send',
    path: PAYOUTS_PATH,
    advice: 'Send them, then mark them as sent. The merchant is notified.',
    sinceText: 'Next due',
    async read(ask) {
      const reply = await ask(payouts.list, { query: { ...query, status: 'upcoming' } })
      if (!reply.ok) return reply
      return counted(
        reply.value.payouts.map((row) => row.scheduled_for),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Dead deliveries',
    path: DEAD_DELIVERIES_PATH,
    advice: 'All attempts failed. Resend them when the endpoint works again.',
    sinceText: 'Newest from',
    async read(ask) {
      const reply = await ask(deliveries.listDead, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.deliveries.map((row) => row.created_at),
        reply.value.next_cursor,
      )
    },
  },
  {
    title: 'Parked events',
    path: PARKED_EVENTS_PATH,
    advice: 'Events that a service could not handle. Retry them when the cause is fixed.',
    sinceText: 'Oldest waiting since',
    async read(ask) {
      const reply = await ask(parkedEvents.list, { query })
      if (!reply.ok) return reply
      const { parked_events: rows, unavailable, next_cursor: next } = reply.value
      if (rows.length === 0 && unavailable.length > 0) return { ok: false, code: 'temporarily_unavailable' }
      return counted(
        rows.map((row) => row.parked_at),
        next,
      )
    },
  },
  {
    title: 'Chargeback cases',
    path: CHARGEBACKS_PATH,
    advice: 'Payers that are blocked after a dispute. The partner lifts a case.',
    sinceText: 'Newest from',
    async read(ask) {
      const reply = await ask(chargebackCases.listByStaff, { query })
      if (!reply.ok) return reply
      return counted(
        reply.value.chargeback_cases.map((row) => row.created_at),
        reply.value.next_cursor,
      )
    },
  },
]
