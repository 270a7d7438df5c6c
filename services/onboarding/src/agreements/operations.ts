import {
  implement,
  isId,
  keysetList,
  newId,
  NEWEST_FIRST,
  refuse,
  reply,
  sealerOf,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { agreements, type Acceptance } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { emit, updateRelationship } from '../relationship-state/changes.ts'
import { partnerEvent } from '../relationship-state/events.ts'
import { lockOwnRelationship } from '../relationship-state/access.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import * as acceptanceStore from './acceptance-store.ts'
import { checkAcceptedAt, contentTypeOf, notCurrent, scheduleOf } from './domain.ts'
import { listAgreements } from './list.ts'
import { evidenceContext, presentAcceptance, presentForStaff, presentVersion } from './presentation.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  publicBaseUrl: string
  /** Called after a publication: every relationship's requirement may have changed. */
  onPublished: () => void
}>

/** `onboarding.agreements` (spec: Agreements; decisions §5 and §14). */
export const agreementOperations = (dependencies: Dependencies): Implementation[] => {
  const { db } = dependencies

  return implement(agreements, {
    list: (request) => listAgreements(dependencies, request),
    accept: (request) => accept(dependencies, request),
    publish: (request) => publish(dependencies, request),
    listByStaff: (request) => listVersions(dependencies, request),
    retire: (request) => retire(dependencies, request),

    async getDocument({ params }) {
      const found = await store.getContent(db, params)
      return found
        ? reply({ content_type: found.contentType, content_base64: found.content.toString('base64') })
        : refuse('resource_not_found')
    },
  })
}

type AcceptRequest = OperationRequest<typeof agreements.accept>

const accept = async ({ db, vault }: Dependencies, { caller, params, body, now }: AcceptRequest) => {
  const acceptedAt = new Date(body.accepted_at)
  const badTime = checkAcceptedAt(acceptedAt, now)
  if (badTime) return badTime
  const { customerId: partnerCustomerId, agreementId } = params
  if (!isId('relationship', partnerCustomerId) || !isId('agreement', agreementId))
    return refuse('resource_not_found')
  const { partnerId } = caller
  return db.transaction(async (tx) => {
    const before = await lockOwnRelationship(tx, partnerId, partnerCustomerId)
    if (!before) return refuse('resource_not_found')
    const current = await store.lockCurrent(tx, { agreementId })
    if (!current) return refuse('resource_not_found')
    const { agreement_version: agreementVersion } = body
    const key = { partnerId, partnerCustomerId, agreementId, agreementVersion }
    const existing = await acceptanceStore.get(tx, key)
    if (existing) return reply({ acceptance: presentAcceptance(existing, vault) }, 'existing')
    const acceptable = await store.getAcceptable(tx, { agreementId, agreementVersion })
    if (!acceptable) return notCurrent(current.version)
    const acceptanceId = newId('acceptance')
    const sealer = await sealerOf(tx, vault, { subject: partnerCustomerId, now })
    const created = await acceptanceStore.insert(tx, {
      ...key,
      acceptanceId,
      contentHash: acceptable.contentHash,
      acceptanceChannel: body.acceptance_channel,
      acceptedAt,
      now,
      evidenceSealed: sealer.seal(JSON.stringify(body.evidence), evidenceContext(acceptanceId)),
    })
    if (!created) throw new Error('An acceptance was not stored')
    const acceptance = presentAcceptance(created, vault)
    emitAcceptance(tx, before, acceptance, now)
    await updateRequired(tx, before, now)
    await incrementVersion(tx, { merchantId: before.merchantId, editedAt: null })
    return reply({ acceptance }, 'created')
  })
}

const emitAcceptance = (tx: Transaction, relationship: Relationship, acceptance: Acceptance, now: Date) => {
  const { acceptance_id, agreement_id, agreement_version } = acceptance
  const data = { customer_id: relationship.merchantId, acceptance_id, agreement_id, agreement_version }
  emit(tx, partnerEvent(relationship, 'agreement.accepted', data), now)
}

/** Emits the capabilities if the relationship requires an agreement now and did not when last emitted, or the reverse. */
const updateRequired = async (tx: Transaction, before: Relationship, now: Date): Promise<void> => {
  const live = await relationshipStore.getLive(tx, before)
  if (live?.agreementRequired !== before.agreementRequired) await updateRelationship(tx, before, {}, now)
}

/** Every version for staff, the newest first. */
const listVersions = async (
  { db, cursors, publicBaseUrl }: Dependencies,
  { query }: OperationRequest<typeof agreements.listByStaff>,
) => {
  const list = keysetList(cursors, { name: 'agreement-versions', order: NEWEST_FIRST })
  const from = list.after(query.cursor)
  if (from === null) return refuse('invalid_cursor')
  const { items, nextCursor } = list.page({
    rows: await store.listVersions(db, { at: from.at, id: from.id, limit: query.limit + 1 }),
    limit: query.limit,
    present: (row) => presentForStaff(row, publicBaseUrl),
    positionOf: (row) => ({ at: row.publishedAt, id: `${row.agreementId}/${row.version}` }),
  })
  return reply({ versions: items, next_cursor: nextCursor })
}

type RetireRequest = OperationRequest<typeof agreements.retire>

const retire = async ({ db, onPublished }: Dependencies, { params: { agreementId } }: RetireRequest) => {
  const outcome = await db.transaction(async (tx) => {
    // Every relationship is brought up to it, as after a publication.
    await store.incrementRevision(tx)
    if (await store.endCurrentVersion(tx, { agreementId }))
      return reply({ agreement_id: agreementId, retired: true as const })
    return (await store.find(tx, { agreementId }))
      ? refuse('invalid_state', [{ field: 'agreement_id', reason: 'not_in_force' }])
      : refuse('resource_not_found')
  })
  if (outcome.ok) onPublished()
  return outcome
}

type PublishRequest = OperationRequest<typeof agreements.publish>

const publish = async ({ db, publicBaseUrl, onPublished }: Dependencies, { body, now }: PublishRequest) => {
  const content = Buffer.from(body.content_base64, 'base64')
  const { version, title, effective_date: effectiveDate, parties, disclosure } = body
  const agreementId = body.agreement_id ?? newId('agreement')
  const contentHash = createHash('sha256').update(content).digest('hex')
  const row = { agreementId, version, title, effectiveDate, parties, disclosure, contentHash }
  const scheduledFor = scheduleOf(body.effective_at, now)
  const outcome = await db.transaction(async (tx) => {
    await store.incrementRevision(tx)
    const isNew = body.agreement_id === undefined
    if (isNew) await store.insert(tx, { agreementId, version: scheduledFor ? null : version, now })
    else {
      const found = scheduledFor
        ? await store.find(tx, { agreementId })
        : await store.updateCurrentVersion(tx, { agreementId, version })
      if (!found) return refuse('resource_not_found')
    }
    const stored = await store.insertVersion(tx, {
      ...row,
      parties: JSON.stringify(parties),
      content,
      contentType: contentTypeOf(content),
      now,
      scheduledFor,
    })
    if (!stored) return refuse('invalid_state', [{ field: 'version', reason: 'already_published' }])
    const effectiveAt = scheduledFor ? { effective_at: scheduledFor.toISOString() } : {}
    return reply({ agreement: { ...presentVersion(row, publicBaseUrl), ...effectiveAt } })
  })
  if (outcome.ok) onPublished()
  return outcome
}
