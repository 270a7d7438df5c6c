import {
  createDownloadTokens,
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  withBefore,
  withStaffKey,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Vault,
} from '@causeway/chassis'
import { paymentFiles, type PaymentFile } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { emitPayout, takeStep } from '../payouts/steps.ts'
import { bankIdOf, contentContext, type Debtor } from './file.ts'
import { makeFile } from './make.ts'
import * as store from './store.ts'

/** Settings of the platform's account; a file needs the name and the IBAN. */
export type DebtorSettings = Readonly<Partial<Debtor>>

type Dependencies = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  /** Authenticates the URLs of files. */
  signer: Pick<Vault, 'mac'>
  publicBaseUrl: string
  debtor: DebtorSettings
  /** Called when the payouts of a file were marked as sent. */
  onUploaded: () => void
}>

type Link = Readonly<{ url: string; expiresAt: Date }>

const present = (row: store.FileRow, link: Link | null = null): PaymentFile => ({
  payment_file_id: row.paymentFileId,
  unit: row.unit,
  payout_ids: row.payoutIds,
  total_cents: row.totalCents,
  sha256: row.sha256,
  status: row.status,
  created_at: row.createdAt.toISOString(),
  uploaded_at: row.uploadedAt?.toISOString() ?? null,
  url: link?.url ?? null,
  expires_at: link?.expiresAt.toISOString() ?? null,
})

/** The account that pays, or the refusal that names the settings that are missing. */
const debtorOf = ({ name, iban, bic }: DebtorSettings) =>
  name === undefined || iban === undefined
    ? refuse('invalid_state', [
        ...(name === undefined ? [{ setting: 'PAYOUT_DEBTOR_NAME' }] : []),
        ...(iban === undefined ? [{ setting: 'PAYOUT_DEBTOR_IBAN' }] : []),
      ])
    : { name, iban, ...(bic !== undefined && { bic }) }

const create = (
  { db, vault, debtor: settings }: Dependencies,
  request: OperationRequest<typeof paymentFiles.create>,
) =>
  withStaffKey(db, paymentFiles.create, request, async (tx) => {
    const debtor = debtorOf(settings)
    if ('ok' in debtor) return debtor
    const made = await makeFile(tx, { vault, debtor, unit: request.body.unit, now: request.now })
    return 'ok' in made ? made : reply({ payment_file: present(made) })
  })

/** Marks the payouts of a file as sent, all in one transaction. */
const markUploaded = (
  { db }: Dependencies,
  { params: { paymentFileId }, now }: OperationRequest<typeof paymentFiles.markUploaded>,
) =>
  db.transaction(async (tx) => {
    const row = await store.lock(tx, { paymentFileId })
    if (row === null) return refuse('resource_not_found')
    const before = { status: row.status }
    if (row.status === 'uploaded') return withBefore(reply({ payment_file: present(row) }), before)
    await store.markUploaded(tx, { paymentFileId, now })
    for (const payoutId of row.payoutIds) {
      const stepped = await takeStep(tx, { payoutId, step: 'sent', at: now, paymentFileId }, now)
      if (!stepped?.row) throw new Error(`${payoutId} of ${paymentFileId} is not upcoming`)
      await emitPayout(tx, 'payout.sent', stepped.row, now)
    }
    const uploaded = { ...row, status: 'uploaded', uploadedAt: now } as const
    return withBefore(reply({ payment_file: present(uploaded) }), before)
  })

/** Opens the content of a file. @throws Error where it is not the one that was made */
const openContent = async ({ db, vault }: Dependencies, row: store.FileRow): Promise<Buffer | null> => {
  const { paymentFileId, sha256 } = row
  const found = await store.getContent(db, { paymentFileId })
  if (found === null) return null
  const content = vault.open(found.contentSealed, contentContext(paymentFileId))
  if (createHash('sha256').update(content).digest('hex') !== sha256)
    throw new Error(`The content of ${paymentFileId} was altered`)
  return content
}

/** `ledger.payment-files` (decisions §50). */
export const paymentFileOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, cursors, signer, publicBaseUrl, onUploaded } = dependencies
  const downloads = createDownloadTokens(signer, 'payment-file-download')

  return implement(paymentFiles, {
    create: (request) => create(dependencies, request),

    async list({ query: { limit, cursor } }) {
      const list = keysetList(cursors, { name: 'payment-files', order: NEWEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listPage(db, { ...after, limit: limit + 1 }),
        limit,
        present: (row) => present(row),
        positionOf: (row) => ({ at: row.createdAt, id: row.paymentFileId }),
      })
      return reply({ payment_files: items, next_cursor: nextCursor })
    },

    async get({ params: { paymentFileId }, now }) {
      const row = await store.get(db, { paymentFileId })
      if (row === null) return refuse('resource_not_found')
      if (row.erasedAt !== null) return reply({ payment_file: present(row) })
      const { token, expiresAt } = downloads.issue(paymentFileId, now)
      const url = `${publicBaseUrl}/downloads/payment-files/${token}`
      return reply({ payment_file: present(row, { url, expiresAt }) })
    },

    async markUploaded(request) {
      const outcome = await markUploaded(dependencies, request)
      if (outcome.ok) onUploaded()
      return outcome
    },

    async getFile({ params: { token }, now }) {
      const paymentFileId = downloads.read(token, now)
      const row = paymentFileId === null ? null : await store.get(db, { paymentFileId })
      const content = row === null ? null : await openContent(dependencies, row)
      if (row === null || content === null) return refuse('resource_not_found')
      return reply({
        file_name: `${bankIdOf(row.paymentFileId)}.xml`,
        mime_type: 'application/xml',
        file_size_bytes: content.length,
        content_base64: content.toString('base64'),
      })
    },
  })
}
