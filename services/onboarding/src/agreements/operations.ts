import {
  implement,
  isId,
  newId,
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
import { agreements } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { contentTypeOf, judgeAcceptedAt, judgeVersion } from './domain.ts'
import { noticeTo } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import * as acceptanceStore from './acceptance-store.ts'
import * as store from './store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { listAgreements } from './list.ts'
import { announce, emit } from '../relationship-state/emit.ts'
import { holdOwnRelationship } from '../relationship-state/lock.ts'
import { evidenceContext, presentAcceptance, presentVersion } from './presentation.ts'

type Parts = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  publicBaseUrl: string
  /** Called after a publication, to announce what it means for every relationship. */
  published: () => void
}>

/** `onboarding.agreements` (spec: Agreements; decisions §5 and §14). */
export const agreementOperations = (parts: Parts): Implementation[] => {
  const { db } = parts

  return implement(agreements, {
    list: (request) => listAgreements(parts, request),

    accept: (request) => accept(parts, request),
    publish: (request) => publish(parts, request),

    async document({ params }) {
      const [found] = await db.query(store.readContent, [params.agreementId, params.contentHash])
      return found
        ? reply({ content_type: found.content_type, content_base64: found.content.toString('base64') })
        : refuse('resource_not_found')
    },
  })
}

type AcceptRequest = OperationRequest<typeof agreements.accept>

const accept = async ({ db, vault }: Parts, { caller, params, body, now }: AcceptRequest) => {
  const acceptedAt = new Date(body.accepted_at)
  const early = judgeAcceptedAt(acceptedAt, now)
  if (early) return early
  const { customerId, agreementId } = params
  if (!isId('relationship', customerId) || !isId('agreement', agreementId))
    return refuse('resource_not_found')
  return db.transaction(async (tx) => {
    const before = await holdOwnRelationship(tx, caller.partnerId, customerId)
    if (!before) return refuse('resource_not_found')
    const [current] = await tx.query(store.holdCurrent, [agreementId])
    if (!current) return refuse('resource_not_found')
    const key = [caller.partnerId, customerId, agreementId, body.agreement_version]
    const [existing] = await tx.query(acceptanceStore.readOne, key)
    if (existing) return reply({ acceptance: presentAcceptance(existing, vault) }, 'existing')
    const refusal = judgeVersion(body.agreement_version, current.version)
    if (refusal) return refusal
    const id = newId('acceptance')
    const sealer = await sealerOf(tx, vault, { subject: customerId, now })
    const evidence = sealer.seal(JSON.stringify(body.evidence), evidenceContext(id))
    const [created] = await tx.query(acceptanceStore.insert, [
      id,
      ...key,
      current.content_hash,
      body.acceptance_channel,
      acceptedAt,
      now,
      evidence,
    ])
    if (!created) throw new Error('An acceptance was not stored')
    const acceptance = presentAcceptance(created, vault)
    tellOfAcceptance(tx, before, acceptance, now)
    await announceStanding(tx, before, now)
    return reply({ acceptance }, 'created')
  })
}

type PublishRequest = OperationRequest<typeof agreements.publish>

const publish = async ({ db, publicBaseUrl, published }: Parts, { body, now }: PublishRequest) => {
  const content = Buffer.from(body.content_base64, 'base64')
  const { version, title, effective_date, parties, disclosure } = body
  const row = {
    agreement_id: body.agreement_id ?? newId('agreement'),
    version,
    title,
    effective_date,
    parties,
    disclosure,
    content_hash: createHash('sha256').update(content).digest('hex'),
  }
  const outcome = await db.transaction(async (tx) => {
    await tx.query(store.countPublication)
    if (body.agreement_id === undefined) await tx.query(store.insert, [row.agreement_id, version, now])
    else if ((await tx.query(store.moveToVersion, [row.agreement_id, version])).length === 0)
      return refuse('resource_not_found')
    const stored = await tx.query(store.insertVersion, [
      row.agreement_id,
      version,
      title,
      effective_date,
      JSON.stringify(parties),
      disclosure,
      content,
      contentTypeOf(content),
      row.content_hash,
      now,
    ])
    if (stored.length === 0)
      return refuse('invalid_state', [{ field: 'version', reason: 'already_published' }])
    return reply({ agreement: presentVersion(row, publicBaseUrl) })
  })
  if (outcome.ok) published()
  return outcome
}

type Accepted = Readonly<{ acceptance_id: string; agreement_id: string; agreement_version: string }>

const tellOfAcceptance = (tx: Transaction, relationship: Relationship, accepted: Accepted, now: Date) => {
  const { acceptance_id, agreement_id, agreement_version } = accepted
  const data = { customer_id: relationship.customer_id, acceptance_id, agreement_id, agreement_version }
  emit(tx, noticeTo(relationship, 'agreement.accepted', data), now)
}

/** Announces the capabilities if what is required has changed since it was last announced. */
const announceStanding = async (tx: Transaction, before: Relationship, now: Date): Promise<void> => {
  const { partner_id: partnerId, partner_customer_id: id } = before
  const [live] = await tx.query(relationshipStore.readOfPartner, [partnerId, id])
  if (live?.agreement_required === before.agreement_required) return
  const [after] = await tx.query(relationshipStore.update, [id, before.status, before.granted])
  if (!after) throw new Error('A held relationship is gone')
  announce(tx, before, after, now)
}
