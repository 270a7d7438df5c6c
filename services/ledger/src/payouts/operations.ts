import {
  implement,
  keysetList,
  newId,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  withStaffKey,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { payouts, type Refusal } from '@causeway/contracts'
import * as store from './announced-store.ts'
import { presentAmount } from '../posting/amounts.ts'
import { payOut } from './pay-out.ts'
import { presentAnnounced, presentPayout, presentSending } from './present.ts'
import { emitPayout, takeStep, type StepOfPayout } from './steps.ts'
import { readSummary } from './summary.ts'

type Announced = Readonly<{
  /** Null: a payout to a partner. */
  merchantId: string | null
  ownerId: string
  terms: Pick<
    OperationRequest<typeof payouts.announce>['body'],
    'amount_cents' | 'currency' | 'scheduled_for'
  >
}>

/**
 * Announces a payout that staff make. What a merchant's balance does not cover is an advance, because the money was paid
 * elsewhere (decisions §49); a partner's has to cover it.
 */
const announceTo = async (tx: Transaction, { merchantId, ownerId, terms }: Announced, now: Date) => {
  const { amount_cents: amountCents, currency: unit } = terms
  const payoutId = newId('payout')
  const wanted = { payoutId, ownerId, unit, amount: BigInt(amountCents), takesAdvance: merchantId !== null }
  const { paid, available } = await payOut(tx, wanted, now)
  if (paid === null) return { available: presentAmount(unit, available) }
  const row = await store.insert(tx, {
    ...{ payoutId, merchantId, ownerId, amount: String(amountCents), unit, createdAt: now },
    ...{ runId: null, schedule: null, payoutWalletId: null, reference: null },
    scheduledFor: new Date(terms.scheduled_for),
  })
  if (row === null) throw new Error(`${payoutId} exists`)
  await emitPayout(tx, 'payout.upcoming', row, now)
  return { row }
}

const announce = async (tx: Transaction, { body, now }: OperationRequest<typeof payouts.announce>) => {
  const { customer_id: merchantId, partner_customer_id: partnerCustomerId = '' } = body
  const ownerId = (await store.getOwner(tx, { merchantId, partnerCustomerId }))?.ownerId ?? null
  if (ownerId === null) return refuse('resource_not_found')
  const announced = await announceTo(tx, { merchantId, ownerId, terms: body }, now)
  if (!('row' in announced)) throw new Error('An advance was refused')
  return reply({ payout: presentAnnounced(announced.row) })
}

const announceToPartner = async (
  tx: Transaction,
  { params: { partnerId }, body, now }: OperationRequest<typeof payouts.announceToPartner>,
) => {
  const announced = await announceTo(tx, { merchantId: null, ownerId: partnerId, terms: body }, now)
  return 'row' in announced
    ? reply({ payout: presentPayout(announced.row) })
    : refuse('amount_exceeds_available', [announced])
}

/** A cancelled payout has no event: it was announced, and nothing was sent. */
const EVENT_OF_STEP = { sent: 'payout.sent', cancelled: null, returned: 'payout.returned' } as const

const take = (db: Db, wanted: StepOfPayout & Readonly<{ step: keyof typeof EVENT_OF_STEP }>) =>
  db.transaction(async (tx) => {
    const stepped = await takeStep(tx, wanted, wanted.at)
    if (stepped === null) return refuse('resource_not_found')
    const { row, from, paymentFileId, transferStatus } = stepped
    if (row === null) {
      const file = paymentFileId === null ? {} : { payment_file_id: paymentFileId }
      const transfer = transferStatus === null ? {} : { transfer: transferStatus }
      return refuse('invalid_state', [{ from, to: wanted.step, ...file, ...transfer }])
    }
    const event = EVENT_OF_STEP[wanted.step]
    if (event !== null) await emitPayout(tx, event, row, wanted.at)
    return withBefore(reply({ payout: presentPayout(row) }), { status: from })
  })

type Dependencies = Readonly<{
  db: Db
  cursors: Cursors
  /** Rules out that the signer sends a payout; returns the refusal if it cannot. */
  ruleOut: (payoutId: string) => Promise<Refusal<'invalid_state' | 'temporarily_unavailable'> | null>
}>

/** `ledger.payouts` (decisions §14, §49). */
export const payoutOperations = ({ db, cursors, ruleOut }: Dependencies): Implementation[] =>
  implement(payouts, {
    async list({ query: { status, limit, cursor } }) {
      const list = keysetList(cursors, { name: `payouts:${status}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listPage(db, { status, ...after, limit }),
        limit,
        present: (row) => ({ ...presentPayout(row), ...presentSending(row) }),
        positionOf: (row) => ({ at: row.scheduledFor, id: row.payoutId }),
        continuesWhenFull: true,
      })
      return reply({ payouts: items, next_cursor: nextCursor })
    },

    announce: (request) => withStaffKey(db, payouts.announce, request, (tx) => announce(tx, request)),

    announceToPartner: (request) =>
      withStaffKey(db, payouts.announceToPartner, request, (tx) => announceToPartner(tx, request)),

    async get({ params: { payoutId } }) {
      const row = await store.get(db.pooled, { payoutId })
      return row === null
        ? refuse('resource_not_found')
        : reply({
            payout: {
              ...presentPayout(row),
              summary: await readSummary(db.pooled, row),
              ...presentSending(row),
            },
          })
    },

    markSent({ params: { payoutId }, body, now }) {
      const { reference, tx_id: txId } = body ?? {}
      return take(db, { payoutId, step: 'sent', at: now, reference, txId })
    },

    async cancel({ params: { payoutId }, now }) {
      const refusal = await ruleOut(payoutId)
      return refusal ?? take(db, { payoutId, step: 'cancelled', at: now })
    },

    markReturned: ({ params: { payoutId }, body: { reason: returnReason }, now }) =>
      take(db, { payoutId, step: 'returned', at: now, returnReason }),
  })
