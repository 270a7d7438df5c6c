import {
  blobContext,
  createDownloadTokens,
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
import { emit } from '../relationship-state/changes.ts'
import { getOwnRelationship, lockOwnRelationship } from '../relationship-state/access.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import * as verificationStore from '../verifications/store.ts'
import { checkUpload, documentReviewed } from './domain.ts'
import { listDocuments, listDocumentsByStaff } from './list.ts'
import { fileNameContext, presentDocument } from './presentation.ts'
import * as store from './store.ts'
import * as uploadStore from './upload-store.ts'

type Dependencies = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  blobs: Pick<Blobs, 'remove'>
  publicBaseUrl: string
}>

const BLOB_KEY_BYTES = 16

/** `onboarding.documents` (spec: Documents; decisions §6 and §14). */
export const documentOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault, blobs, publicBaseUrl } = dependencies
  const downloads = createDownloadTokens(vault, 'document-download')
  const download = (row: store.DocumentRow, now: Date) => {
    const { token, expiresAt } = downloads.issue(row.documentId, now)
    return reply({
      document: presentDocument(row, vault),
      download_url: `${publicBaseUrl}/downloads/${token}`,
      expires_at: expiresAt.toISOString(),
    })
  }

  return implement(documents, {
    async createUpload({ caller: { partnerId }, params: { customerId: partnerCustomerId }, now }) {
      const relationship = await getOwnRelationship(db, partnerId, partnerCustomerId)
      if (!relationship) return refuse('resource_not_found')
      const refusal = await refusalOfUpload(db, relationship)
      if (refusal) return refusal
      const blobKey = randomBytes(BLOB_KEY_BYTES).toString('hex')
      await uploadStore.insert(db, { blobKey, partnerId, partnerCustomerId, now })
      return reply({ blob_key: blobKey })
    },

    create: (request) => create(dependencies, request),

    async deleteUpload({ caller: { partnerId }, params: { customerId: partnerCustomerId }, body }) {
      const key = { blobKey: body.blob_key, partnerId, partnerCustomerId }
      const marked = await uploadStore.markForDeletion(db, key)
      // The row stays for the purge: a piece that the store has not confirmed may arrive after this.
      if (marked) await blobs.remove(marked.blobKey)
      return reply({})
    },

    list: (request) => listDocuments(dependencies, request),
    listByStaff: (request) => listDocumentsByStaff(dependencies, request),

    async createDownload({ caller: { partnerId }, params: { documentId }, now }) {
      const row = await store.get(db, { partnerId, documentId })
      return row ? download(row, now) : refuse('resource_not_found')
    },
    async createDownloadByStaff({ params: { documentId }, now }) {
      const row = await store.getForServing(db, { documentId })
      return row ? download(row, now) : refuse('resource_not_found')
    },

    async getDownload({ params, now }) {
      const documentId = downloads.read(params.token, now)
      if (documentId === null) return refuse('resource_not_found')
      const row = await store.getForServing(db, { documentId })
      if (!row) return refuse('resource_not_found')
      const { file_name, mime_type, file_size_bytes } = presentDocument(row, vault)
      const { blobKey: blob_key, blobSecretSealed } = row
      const blob_secret = vault.open(blobSecretSealed, blobContext(blob_key)).toString('base64url')
      return reply({ file_name, mime_type, file_size_bytes, blob_key, blob_secret })
    },

    async review({ params: { documentId }, body, now }) {
      return db.transaction(async (tx) => {
        const document = await store.lock(tx, { documentId })
        if (!document) return refuse('resource_not_found')
        const { partnerCustomerId } = document
        const review = { status: body.status, rejectionReason: body.rejection_reason ?? null }
        const reviewed = await store.updateReview(tx, { documentId, ...review, now })
        const relationship = await relationshipStore.get(tx, { partnerCustomerId })
        if (!reviewed || !relationship)
          throw new Error('A locked document or its relationship does not exist')
        const { merchantId } = relationship
        await incrementVersion(tx, { merchantId, editedAt: null })
        const outcome = { documentId, documentType: reviewed.documentType, status: body.status }
        if (relationship.status === 'active') emit(tx, documentReviewed(relationship, outcome), now)
        const before = { status: document.status, rejection_reason: document.rejectionReason }
        return withBefore(reply({ document: presentDocument(reviewed, vault) }), before)
      })
    },
  })
}

/** Checked before the bytes are stored, and again, exactly, while the merchant's row is locked. */
const refusalOfUpload = async (db: Queryable, relationship: Relationship) => {
  const progress = relationship.linkConfirmed ? await verificationStore.getProgress(db, relationship) : null
  const counted = await store.count(db, relationship)
  return checkUpload(progress, counted?.total ?? 0)
}

/** Ends the upload and inserts the document, whose bytes are stored, in one transaction. */
const create = async (
  { db, vault }: Dependencies,
  { caller, params, body, now }: OperationRequest<typeof documents.create>,
) => {
  const { partnerId } = caller
  const { customerId: partnerCustomerId } = params
  const { blob_key: blobKey } = body
  return db.transaction(async (tx) => {
    const relationship = await lockOwnRelationship(tx, partnerId, partnerCustomerId)
    if (!relationship) return refuse('resource_not_found')
    const refusal = await refusalOfUpload(tx, relationship)
    if (refusal) return refusal
    const finished = await uploadStore.finish(tx, { blobKey, partnerId, partnerCustomerId })
    if (!finished) throw new NotDoneError('The upload was deleted before its document was written')
    const documentId = newId('document')
    const sealer = await sealerOf(tx, vault, { subject: partnerCustomerId, now })
    const created = await store.insert(tx, {
      documentId,
      partnerId,
      partnerCustomerId,
      documentType: body.document_type,
      fileNameSealed: sealer.seal(body.file_name, fileNameContext(documentId)),
      mimeType: body.mime_type,
      fileSizeBytes: body.file_size_bytes,
      blobKey,
      blobSecretSealed: sealer.seal(Buffer.from(body.blob_secret, 'base64url'), blobContext(blobKey)),
      now,
    })
    if (!created) throw new Error('A document was not stored')
    const { merchantId, linkConfirmed } = relationship
    if (linkConfirmed) await incrementVersion(tx, { merchantId, editedAt: now })
    return reply({ document: presentDocument(created, vault) })
  })
}
