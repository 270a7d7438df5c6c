import {
  implement,
  keysetList,
  OLDEST_FIRST,
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
import * as merchantStore from '../merchants/store.ts'
import { emit, updateMerchant } from '../relationship-state/changes.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import {
  approvalStateOf,
  approve,
  checkApproval,
  reject,
  type ApprovalBlocker,
  type Review,
} from '../verifications/case.ts'
import { verificationEvents } from '../verifications/events.ts'
import { openRecord, presentCase, presentListed } from '../verifications/presentation.ts'
import * as verificationStore from '../verifications/store.ts'
import * as submissionStore from '../verifications/submission-store.ts'
import { getCase } from './case-page.ts'
import { getFigures } from './figures.ts'
import { openSubmissions, positionOfSubmission } from './submissions.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault; cursors: Cursors; verificationTtlMs: number }>

/** `onboarding.reviews`: how staff decide on cases (decisions §14). */
export const reviewOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, cursors, verificationTtlMs: timeToLiveMs } = dependencies
  return implement(reviews, {
    async list({ query: { status, limit, cursor } }) {
      const list = keysetList(cursors, { name: `reviews:${status ?? 'all'}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (!after) return refuse('invalid_cursor')
      const rows =
        status === undefined
          ? await verificationStore.listPage(db, { ...after, limit })
          : await verificationStore.listPageOfStatus(db, { status, ...after, limit })
      const page = list.page({
        rows,
        limit,
        present: presentListed,
        positionOf: (row) => ({ at: row.statusSince, id: row.verificationId }),
        continuesWhenFull: true,
      })
      return reply({ verifications: page.items, next_cursor: page.nextCursor })
    },

    get: (request) => getCase(dependencies, request),

    getFigures: (request) => getFigures(db, request),

    async prepareApproval({ params, body: { version } = {} }) {
      const found = await verificationStore.get(db, params)
      if (!found) return refuse('resource_not_found')
      const refusal = checkApproval(found, version)
      return refusal ?? reply({ before: approvalStateOf(found), groups: ['approval' as const] })
    },

    async approve({ params, body: { version, reason } = {}, expected, now }) {
      const outcome = await review(dependencies, params.verificationId, now, async (tx, found) => {
        const blocker = await approvalBlockerOf(tx, dependencies, found, now)
        return approve(found, blocker, { now, timeToLiveMs, version, expected })
      })
      return outcome.ok && reason !== undefined
        ? { ...outcome, value: { ...outcome.value, reason } }
        : outcome
    },

    reject: ({ params, body: { rejection_reason: reason, version }, now }) =>
      review(dependencies, params.verificationId, now, async (_tx, found) =>
        reject(found, { reason, version, now }),
      ),
  })
}

/** Submissions are read a few at a time: until one is found that lets the case be approved, or all. */
const BATCH = 20
const BATCH_MAX_SEALED_BYTES = 4 * 1024 * 1024

/** Reads the submissions of a case, batch by batch, as far as the caller reads. */
async function* submissionBatches(tx: Transaction, verificationId: string) {
  let after: typeof OLDEST_FIRST.start | null = OLDEST_FIRST.start
  while (after !== null) {
    const batch: submissionStore.OfCaseRow[] = await submissionStore.listPageOfCase(tx, {
      verificationId,
      ...after,
      limit: BATCH,
      maxSealedBytes: BATCH_MAX_SEALED_BYTES,
    })
    yield batch
    const last = batch.at(-1)
    after = last?.hasNext ? positionOfSubmission(last) : null
  }
}

/** A case can be approved when some active relationship has a complete submission and accepted all agreements (decisions §5). */
const approvalBlockerOf = async (
  tx: Transaction,
  { vault }: Dependencies,
  { verificationId }: verificationStore.CaseRow,
  now: Date,
): Promise<ApprovalBlocker> => {
  let blocker: ApprovalBlocker = 'submission_incomplete'
  for await (const batch of submissionBatches(tx, verificationId)) {
    const submissions = await openSubmissions(tx, batch, vault, now)
    const complete = submissions.filter(
      (submission) => submission.complete && submission.row.relationshipStatus === 'active',
    )
    if (complete.some((submission) => submission.accepted)) return null
    if (complete.length > 0) blocker = 'agreement_required'
  }
  return blocker
}

/** Stores the approved commercial choices of each relationship, which other services project (decisions §52). */
const keepChoices = async (
  tx: Transaction,
  { vault }: Dependencies,
  verificationId: string,
): Promise<void> => {
  for await (const batch of submissionBatches(tx, verificationId)) {
    const choices = batch.map((row) => openRecord(row, vault).commercial)
    await relationshipStore.updateChoices(tx, {
      partnerCustomerIds: batch.map((row) => row.partnerCustomerId),
      feeHandlings: choices.map((chosen) => chosen.fee_handling ?? null),
      settlementOptions: choices.map((chosen) => chosen.settlement_option ?? null),
    })
  }
}

/** Locks the merchant's row, stores the transition that `decide` gives, and emits it to every partner. */
const review = async (
  dependencies: Dependencies,
  verificationId: string,
  now: Date,
  decide: (tx: Transaction, found: verificationStore.CaseRow) => Promise<Review>,
) =>
  dependencies.db.transaction(async (tx) => {
    const unlocked = await verificationStore.get(tx, { verificationId })
    if (!unlocked) return refuse('resource_not_found')
    const { merchantId } = unlocked
    await merchantStore.lockMerchant(tx, { merchantId })
    const found = await verificationStore.lock(tx, { verificationId })
    if (!found) throw new Error('A locked merchant has no row of its case')
    const decision = await decide(tx, found)
    if (!decision.ok) return decision
    const updated = await verificationStore.updateStatus(tx, verificationId, decision.value, now)
    await submissionStore.keepBaselines(tx, { verificationId, now })
    const relationships = await relationshipStore.listOfMerchant(tx, { merchantId })
    for (const draft of verificationEvents(updated, relationships)) emit(tx, draft, now)
    if (updated.status === 'approved')
      await updateMerchant(tx, merchantId, now, async () => {
        await merchantStore.updateVerification(tx, {
          merchantId,
          verification: 'approved',
          expiresAt: updated.expiresAt,
        })
        await keepChoices(tx, dependencies, verificationId)
      })
    return withBefore(reply({ verification: presentCase(updated) }), { verification: presentCase(found) })
  })
