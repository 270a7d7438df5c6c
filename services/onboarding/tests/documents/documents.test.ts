import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryMany, queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { documents, type DomainEvent } from '@causeway/contracts'
import { z } from 'zod'
import { purgeUploads } from '../../src/documents/jobs/upload-purge.ts'
import { BYTES, startWithDocuments } from './document-fixture.ts'
import { newPartner, OPERATOR } from '../running-onboarding.ts'

const listed = (...documents: unknown[]) => ({ ok: true, value: { documents, next_cursor: null } })
const notFound = { ok: false, code: 'resource_not_found' }
const readUploads = queryMany({
  name: 'test.read-uploads',
  text: 'SELECT blob_key FROM document_uploads ORDER BY started_at',
  row: z.object({ blobKey: z.string() }),
})
const setCase = queryNone({
  name: 'test.set-case',
  parameters: { id: 'text', merchantId: 'text', status: 'text' },
  text: `
    INSERT INTO verifications (id, merchant_id, status, status_since, created_at)
    VALUES (:id, :merchantId, :status, '2026-01-01', '2026-01-01')
    ON CONFLICT (merchant_id) DO UPDATE SET status = :status`,
})
const raise = queryNone({
  name: 'test.raise-requirement',
  parameters: { id: 'text', merchantId: 'text', status: 'text' },
  text: `
    INSERT INTO requirements (id, merchant_id, kind, message, status, created_at)
    VALUES (:id, :merchantId, 'document', 'again', :status, '2026-01-01')`,
})
const dumpDocuments = queryMany({
  name: 'test.dump-documents',
  text: 'SELECT documents::text AS row FROM documents',
  row: z.object({ row: z.string() }),
})

let onboarding: Awaited<ReturnType<typeof startWithDocuments>>
beforeAll(async () => {
  onboarding = await startWithDocuments()
})
afterAll(async () => {
  await onboarding.stop()
})

const uploadsUnderWay = async () => (await readUploads(onboarding.db)).map((row) => row.blobKey)
const reviewed = (events: readonly DomainEvent[], documentId: string) =>
  events.flatMap((event) =>
    event.partners.filter(
      ({ type, data }) => type === 'document.reviewed' && data['document_id'] === documentId,
    ),
  )
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const review = (documentId: string, body: Record<string, unknown>) =>
  onboarding.ask(documents.review, OPERATOR, { params: { documentId }, body })

describe('a document', () => {
  it('is listed as it was uploaded, and earlier ones of its type stay', async () => {
    const customer = await onboarding.customer()
    expect(await onboarding.documentsOf(customer)).toEqual(listed())
    const first = await onboarding.upload(customer)
    onboarding.clock.advance(1)
    const second = await onboarding.upload(customer, { document_type: 'other', file_name: 'other.pdf' })
    expect(first).toEqual({
      document_id: first.document_id,
      document_type: 'bank_statement',
      file_name: 'Kontoauszug März.pdf',
      mime_type: 'application/pdf',
      file_size_bytes: BYTES.length,
      status: 'uploaded',
      rejection_reason: null,
      submitted_by_partner_id: customer.partner.partnerId,
      uploaded_at: new Date(onboarding.clock.nowMs() - 1).toISOString(),
    })
    expect(await onboarding.documentsOf(customer)).toEqual(listed(first, second))
  })

  it('has a file name that is not in plain text in the database', async () => {
    await onboarding.upload(await onboarding.customer(), { file_name: 'canary-passport.pdf' })
    const rows = await dumpDocuments(onboarding.db)
    expect(rows.filter(({ row }) => row.includes('canary'))).toEqual([])
  })

  it('is downloaded with a token that is valid for five minutes and hides where the bytes are', async () => {
    const customer = await onboarding.customer()
    const document = await onboarding.upload(customer)
    const asked = await onboarding.download(customer.partner, document.document_id)
    if (!asked.ok) throw new Error(asked.code)
    const { download_url: url, expires_at, ...rest } = asked.value
    expect(rest).toEqual({ document })
    expect(expires_at).toBe(new Date(onboarding.clock.nowMs() + 300_000).toISOString())
    expect(url).toMatch(/^https:\/\/api\.example\/downloads\/doc_[0-9a-z]{26}\.\d+\.[\w-]{43}$/)
    const opened = await onboarding.open(tokenOf(url))
    if (!opened.ok) throw new Error(opened.code)
    const { blob_key, blob_secret, ...shown } = opened.value
    expect(shown).toEqual({
      file_name: 'Kontoauszug März.pdf',
      mime_type: 'application/pdf',
      file_size_bytes: BYTES.length,
    })
    expect(url).not.toContain(blob_key)
    const bytes: Buffer[] = []
    for await (const piece of (await onboarding.blobs.read(blob_key, blob_secret)) ?? []) bytes.push(piece)
    expect(Buffer.concat(bytes)).toEqual(BYTES)
    onboarding.clock.advance(300_000)
    expect(await onboarding.open(tokenOf(url))).toEqual(notFound)
  })

  it('is not found for another partner, a revoked customer, or an unknown id, with identical replies', async () => {
    const customer = await onboarding.customer(newPartner(), 'shared-merchant@example.com')
    const other = await onboarding.customer(newPartner(), 'shared-merchant@example.com')
    const { document_id: id } = await onboarding.upload(customer)
    const asked = await onboarding.download(customer.partner, id)
    expect(await onboarding.download(other.partner, id)).toEqual(notFound)
    expect(await onboarding.download(customer.partner, newId('document'))).toEqual(notFound)
    expect(await onboarding.documentsOf(other)).toEqual(listed())
    expect(await onboarding.documentsOf({ ...other, id: customer.id })).toEqual(notFound)
    await onboarding.revoke(customer.id)
    expect(await onboarding.download(customer.partner, id)).toEqual(notFound)
    expect(await onboarding.documentsOf(customer)).toEqual(notFound)
    expect(await onboarding.begin(customer)).toEqual(notFound)
    expect(await onboarding.open(tokenOf(asked.ok ? asked.value.download_url : ''))).toEqual(notFound)
  })
})

describe('an upload', () => {
  it.each<[string, string | null, string | null, boolean]>([
    ['no case', null, null, true],
    ['a draft', 'draft', null, true],
    ['a pending case with nothing outstanding', 'pending', null, false],
    ['a pending case with a closed requirement', 'pending', 'satisfied', false],
    ['a pending case with an open requirement', 'pending', 'open', true],
    ['a pending case with a fulfilled requirement', 'pending', 'fulfilled', true],
    ['an approved case', 'approved', null, true],
    ['a rejected case', 'rejected', null, true],
  ])(
    'is accepted or refused with %s before and after its bytes',
    async (_what, status, requirement, taken) => {
      const customer = await onboarding.customer()
      const blob = await onboarding.stored(customer)
      const { merchantId } = customer
      if (status !== null) await setCase(onboarding.db, { id: newId('verification'), merchantId, status })
      if (requirement !== null)
        await raise(onboarding.db, { id: newId('requirement'), merchantId, status: requirement })
      const refused = { ok: false, code: 'invalid_state', details: [{ reason: 'case_pending' }] }
      expect(await onboarding.begin(customer)).toEqual(
        taken ? expect.objectContaining({ ok: true }) : refused,
      )
      expect(await onboarding.create(customer, blob)).toEqual(
        taken ? expect.objectContaining({ ok: true }) : refused,
      )
    },
  )

  it('makes one document, however often it is finished', async () => {
    const customer = await onboarding.customer()
    const blob = await onboarding.stored(customer)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => onboarding.create(customer, blob)))
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    expect(
      outcomes.filter((outcome) => !outcome.ok && outcome.code === 'temporarily_unavailable'),
    ).toHaveLength(7)
  })

  it('cannot be finished or discarded by another customer', async () => {
    const customer = await onboarding.customer()
    const other = await onboarding.customer(customer.partner)
    const stranger = await onboarding.customer()
    const blob = await onboarding.stored(customer)
    for (const who of [other, stranger]) {
      expect(await onboarding.create(who, blob)).toMatchObject({ code: 'temporarily_unavailable' })
      await onboarding.discard(who, blob.blob_key)
    }
    expect(await onboarding.create(customer, blob)).toMatchObject({ ok: true })
  })

  it('leaves no document and no bytes when discarded, not even those that arrive later', async () => {
    const customer = await onboarding.customer()
    const blob = await onboarding.stored(customer)
    const key = blob.blob_key
    expect(await onboarding.discard(customer, key)).toEqual({ ok: true, value: {} })
    expect(await onboarding.store.get(key)).toBeNull()
    expect(await onboarding.create(customer, blob)).toMatchObject({ code: 'temporarily_unavailable' })
    await onboarding.arrive(key)
    onboarding.clock.advance(3_600_001)
    await purgeUploads({ ...onboarding, clock: onboarding.clock })
    // The service's own purge may have claimed it first.
    await eventually(async () => !(await uploadsUnderWay()).includes(key))
    expect(await onboarding.store.get(key)).toBeNull()
  })

  it('is purged after an hour if nobody finished it; documents and recent uploads stay', async () => {
    const customer = await onboarding.customer()
    const sweep = () => purgeUploads({ ...onboarding, clock: onboarding.clock })
    const document = await onboarding.upload(customer)
    const stale = await onboarding.stored(customer)
    onboarding.clock.advance(3_600_000)
    await sweep()
    expect(await uploadsUnderWay()).toContain(stale.blob_key)
    const fresh = await onboarding.stored(customer)
    onboarding.clock.advance(1)
    await sweep()
    await eventually(async () => String(await uploadsUnderWay()) === fresh.blob_key)
    expect(await onboarding.store.get(stale.blob_key)).toBeNull()
    const asked = await onboarding.download(customer.partner, document.document_id)
    const opened = await onboarding.open(tokenOf(asked.ok ? asked.value.download_url : ''))
    expect(opened.ok && (await onboarding.store.get(opened.value.blob_key))).toBeTruthy()
  })
})

const NO_REASON = 'no reason if status is accepted'

describe('a review', () => {
  it('changes the status and emits an event to the partner each time, without the reason', async () => {
    const customer = await onboarding.customer()
    const document = await onboarding.upload(customer)
    const id = document.document_id
    const rejected = { ...document, status: 'rejected', rejection_reason: 'The canary is blurred' }
    expect(await review(id, { status: 'rejected', rejection_reason: 'The canary is blurred' })).toEqual({
      ok: true,
      value: { document: rejected },
    })
    expect(await onboarding.documentsOf(customer)).toMatchObject({ value: { documents: [rejected] } })
    expect(await review(id, { status: 'accepted' })).toMatchObject({
      value: { document: { status: 'accepted', rejection_reason: null } },
    })
    const events = await onboarding.events()
    const data = {
      partner_customer_id: customer.id,
      customer_id: customer.merchantId,
      document_id: id,
      document_type: 'bank_statement',
    }
    expect(reviewed(events, id).map((notice) => notice.data)).toEqual([
      { ...data, status: 'rejected' },
      { ...data, status: 'accepted' },
    ])
    expect(JSON.stringify(events)).not.toContain('canary')
  })

  it('emits no event to the partner of a revoked relationship', async () => {
    const customer = await onboarding.customer()
    const { document_id: id } = await onboarding.upload(customer)
    await onboarding.revoke(customer.id)
    expect(await review(id, { status: 'accepted' })).toMatchObject({ ok: true })
    expect(reviewed(await onboarding.events(), id)).toEqual([])
  })

  it.each([
    [{ status: 'uploaded' }, { field: 'status', reason: 'invalid_value', allowed: ['accepted', 'rejected'] }],
    [{}, { field: 'status', reason: 'required' }],
    [
      { status: 'accepted', rejection_reason: 'x' },
      { field: 'rejection_reason', reason: 'invalid_value', expected: NO_REASON },
    ],
    [
      { status: 'rejected', rejection_reason: '' },
      { field: 'rejection_reason', reason: 'too_short', expected: 'at least 1 character' },
    ],
  ])('is refused for %j', async (body, detail) => {
    expect(await review(newId('document'), body)).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [detail],
    })
  })

  it('is not found for an unknown document', async () => {
    expect(await review(newId('document'), { status: 'accepted' })).toEqual(notFound)
  })
})
