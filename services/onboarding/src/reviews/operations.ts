import {
  implement,
  refuse,
  reply,
  withBefore,
  type Cursors,
  type Db,
  type Implementation,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { reviews } from '@causeway/contracts'
import { approved, rejected, type ApprovalGate, type Reviewed } from '../verifications/case.ts'
import { verificationNotices } from '../verifications/events.ts'
import * as merchantStore from '../merchants/store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import * as submissionStore from '../verifications/submission-store.ts'
import * as store from '../verifications/store.ts'
import { emit } from '../relationship-state/emit.ts'
import { changeStanding } from '../relationship-state/change.ts'
import { openFiles, readCase } from './case-files.ts'
import { cursorAfter, LIST_START, positionOf } from '../list-position.ts'
import { presentCase } from '../verifications/presentation.ts'

type Parts = Readonly<{ db: Db; vault: Vault; cursors: Cursors; verificationTtlMs: number }>

/** `onboarding.reviews`: how staff judge cases (decisions §14). */
export const reviewOperations = (parts: Parts): Implementation[] => {
  const { db, vault, cursors } = parts
  return implement(reviews, {
    async list({ query }) {
      const { status, limit, cursor } = query
      const list = `reviews:${status ?? 'all'}`
      const after = positionOf(cursors, list, cursor)
      if (!after) return refuse('invalid_cursor')
      const rows =
        status === undefined
          ? await db.query(store.readPage, [...after, limit])
          : await db.query(store.readPageOfStatus, [...after, limit, status])
      const last = rows.length === limit ? rows.at(-1) : undefined
      return reply({
        verifications: rows.map(presentCase),
        next_cursor: cursorAfter(
          cursors,
          list,
          last ? { at: last.status_since, id: last.verification_id } : null,
        ),
      })
    },

    read: (request) => readCase(parts, request),

    approve: ({ params, now }) =>
      review(db, params.verificationId, now, async (tx, found) => {
        const gate = await gateOf(tx, found, vault, now)
        return approved(found, gate, { now, timeToLiveMs: parts.verificationTtlMs })
      }),

    reject: ({ params, body, now }) =>
      review(db, params.verificationId, now, async (_tx, found) =>
        rejected(found, body.rejection_reason, now),
      ),
  })
}

/** Records are read a few at a time until one is found that lets the case be approved. */
const GATE_BATCH = 20
const GATE_BATCH_BYTES = 4 * 1024 * 1024

/** What keeps a case from being approved: some active relationship must be complete and have accepted all (decisions §5). */
const gateOf = async (
  tx: Transaction,
  { verification_id: id }: store.CaseRow,
  vault: Vault,
  now: Date,
): Promise<ApprovalGate> => {
  let gate: ApprovalGate = 'submission_incomplete'
  let after: readonly string[] | null = LIST_START
  while (after !== null) {
    const batch: submissionStore.FileRow[] = await tx.query(submissionStore.readPageOfCase, [
      id,
      ...after,
      GATE_BATCH,
      GATE_BATCH_BYTES,
    ])
    const files = await openFiles(tx, batch, vault, now)
    const complete = files.filter((file) => file.complete && file.row.relationship_status === 'active')
    if (complete.some((file) => file.accepted)) return null
    if (complete.length > 0) gate = 'agreement_required'
    const last = batch.at(-1)
    after = last?.goes_on ? [last.created_at.toISOString(), last.partner_customer_id] : null
  }
  return gate
}

/** Reviews a case: its merchant's row is held, the move judged and stored, and every partner told. */
const review = async (
  db: Db,
  verificationId: string,
  now: Date,
  judge: (tx: Transaction, found: store.CaseRow) => Promise<Reviewed>,
) =>
  db.transaction(async (tx) => {
    const [named] = await tx.query(store.readOne, [verificationId])
    if (!named) return refuse('resource_not_found')
    const merchantId = named.customer_id
    await tx.query(merchantStore.hold, [merchantId])
    const [found] = await tx.query(store.readOne, [verificationId])
    if (!found) throw new Error('A case is gone')
    const judged = await judge(tx, found)
    if (!judged.ok) return judged
    const moved = await store.move(tx, verificationId, judged.value, now)
    const relationships = await tx.query(relationshipStore.readOfMerchant, [merchantId])
    for (const draft of verificationNotices(moved, relationships)) emit(tx, draft, now)
    if (moved.status === 'approved')
      await changeStanding(tx, merchantId, now, () =>
        tx.query(merchantStore.setVerification, [merchantId, 'approved', moved.expires_at]),
      )
    return withBefore(reply({ verification: presentCase(moved) }), { verification: presentCase(found) })
  })
