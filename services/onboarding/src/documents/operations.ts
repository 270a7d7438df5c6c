import {
  blobContext,
  implement,
  newId,
  NotDoneError,
  refuse,
  reply,
  sealerOf,
  withBefore,
  type Blobs,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Queryable,
  type Vault,
} from '@causeway/chassis'
import { documents } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import { documentReviewed, judgeUpload } from './domain.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import { issueDownloadToken, readDownloadToken } from './download-token.ts'
import * as uploadStore from './upload-store.ts'
import * as store from './store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import * as verificationStore from '../verifications/store.ts'
import { emit } from '../relationship-state/emit.ts'
import { listDocuments, listDocumentsForStaff } from './list.ts'
import { holdOwnRelationship } from '../relationship-state/lock.ts'
import { fileNameContext, presentDocument } from './presentation.ts'

type Parts = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  blobs: Pick<Blobs, 'remove'>
  publicBaseUrl: string
}>

const BLOB_KEY_BYTES = 16

/** `onboarding.documents` (spec: Documents; decisions §6 and §14). */
export const documentOperations = (parts: Parts): Implementation[] => {
  const { db, vault, blobs, publicBaseUrl } = parts

  return implement(documents, {
    async begin({ caller, params, now }) {
      const [own] = await db.query(relationshipStore.readOfPartner, [caller.partnerId, params.customerId])
      if (own?.status !== 'active') return refuse('resource_not_found')
      const refusal = await judgeUploadOf(db, own)
      if (refusal) return refusal
      const key = randomBytes(BLOB_KEY_BYTES).toString('hex')
      await db.query(uploadStore.insert, [key, caller.partnerId, params.customerId, now])
      return reply({ blob_key: key })
    },

    create: (request) => create(parts, request),

    async discard({ caller, params, body }) {
      const key = [body.blob_key, caller.partnerId, params.customerId]
      const [given] = await db.query(uploadStore.giveUp, key)
      // The note stays for the sweep: a piece without an answer from the store may reach it only after this.
      if (given) await blobs.remove(given.blob_key)
      return reply({})
    },

    list: (request) => listDocuments(parts, request),
    listByStaff: (request) => listDocumentsForStaff(parts, request),

    async download({ caller, params, now }) {
      const [row] = await db.query(store.readOfPartner, [caller.partnerId, params.documentId])
      if (!row) return refuse('resource_not_found')
      const { token, expiresAt } = issueDownloadToken(row.document_id, now, vault)
      return reply({
        document: presentDocument(row, vault),
        download_url: `${publicBaseUrl}/downloads/${token}`,
        expires_at: expiresAt.toISOString(),
      })
    },

    async open({ params, now }) {
      const documentId = readDownloadToken(params.token, now, vault)
      if (documentId === null) return refuse('resource_not_found')
      const [row] = await db.query(store.readForServing, [documentId])
      if (!row) return refuse('resource_not_found')
      const { file_name, mime_type, file_size_bytes } = presentDocument(row, vault)
      const { blob_key } = row
      const blob_secret = vault.open(row.blob_secret_sealed, blobContext(blob_key)).toString('base64url')
      return reply({ file_name, mime_type, file_size_bytes, blob_key, blob_secret })
    },

    async review({ params, body, now }) {
      return db.transaction(async (tx) => {
        const [found] = await tx.query(store.hold, [params.documentId])
        if (!found) return refuse('resource_not_found')
        const { partner_customer_id: customerId } = found
        const reason = body.rejection_reason ?? null
        const [reviewed] = await tx.query(store.review, [params.documentId, body.status, reason, now])
        const [relationship] = await tx.query(relationshipStore.read, [customerId])
        if (!reviewed || !relationship) throw new Error('A held document or its relationship is gone')
        if (relationship.status === 'active') emit(tx, documentReviewed(relationship, reviewed), now)
        const before = { status: found.status, rejection_reason: found.rejection_reason }
        return withBefore(reply({ document: presentDocument(reviewed, vault) }), before)
      })
    },
  })
}

/** Judged before the bytes are stored, and again, exactly, while the merchant's row is held. */
const judgeUploadOf = async (database: Queryable, relationship: Relationship) => {
  const { partner_id, partner_customer_id, customer_id } = relationship
  const [progress] = relationship.link_confirmed
    ? await database.query(verificationStore.readProgress, [customer_id])
    : []
  const [count] = await database.query(store.count, [partner_id, partner_customer_id])
  return judgeUpload(progress, count?.held ?? 0)
}

/** Writes the row of a document whose bytes are stored: the upload ends and the document begins in one transaction. */
const create = async ({ db, vault }: Parts, request: OperationRequest<typeof documents.create>) => {
  const { caller, params, body, now } = request
  const { partnerId } = caller
  return db.transaction(async (tx) => {
    const relationship = await holdOwnRelationship(tx, partnerId, params.customerId)
    if (!relationship) return refuse('resource_not_found')
    const refusal = await judgeUploadOf(tx, relationship)
    if (refusal) return refusal
    const [finished] = await tx.query(uploadStore.finish, [body.blob_key, partnerId, params.customerId])
    if (!finished) throw new NotDoneError('The upload was given up before its document was written')
    const id = newId('document')
    const sealer = await sealerOf(tx, vault, { subject: params.customerId, now })
    const [created] = await tx.query(store.insert, [
      id,
      partnerId,
      params.customerId,
      body.document_type,
      sealer.seal(body.file_name, fileNameContext(id)),
      body.mime_type,
      body.file_size_bytes,
      body.blob_key,
      sealer.seal(Buffer.from(body.blob_secret, 'base64url'), blobContext(body.blob_key)),
      now,
    ])
    if (!created) throw new Error('A document was not stored')
    return reply({ document: presentDocument(created, vault) })
  })
}
