import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, queryMany } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { DomainEvent, EVENT_STREAM, personalData, relationshipOf, type KybWrite } from '@causeway/contracts'
import { z } from 'zod'
import { SEALED_COLUMNS } from '../../src/columns.ts'
import { startWithAgreements } from '../agreements/agreement-fixture.ts'
import { BYTES, startWithDocuments } from '../documents/document-fixture.ts'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { COMPLETE, PERSON } from '../verifications/kyb-data.ts'
import { KYB_RETENTION_MS, newPartner, OPERATOR } from '../running-onboarding.ts'

const start = async () => {
  const withDocuments = await startWithDocuments()
  return { ...withDocuments, ...(await startWithAgreements(withDocuments)) }
}
let onboarding: Awaited<ReturnType<typeof start>>
let kyb: KybCalls
let agreementId: string
beforeAll(async () => {
  onboarding = await start()
  kyb = kybCalls(onboarding)
  agreementId = (await onboarding.publish()).agreement_id
})
afterAll(() => onboarding.stop())

type Customer = Awaited<ReturnType<typeof onboarding.customer>>

const erase = (id: string) =>
  onboarding.ask(personalData.erase, OPERATOR, { params: { partnerCustomerId: id } })
/** All exported records of a customer, page by page. */
const exported = async (id: string) => {
  const records = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '2', ...(cursor === null ? {} : { cursor }) }
    const page = valueOf(
      await onboarding.ask(personalData.export, OPERATOR, { params: { partnerCustomerId: id }, query }),
    )
    records.push(...page.records)
    cursor = page.next_cursor
  } while (cursor !== null)
  return records
}

/** Unique values for every field that takes text about people. */
const canariesOf = (mark: string) => ({
  email: `${mark}-mail@example.com`,
  director: `${mark} Director`,
  phone: '+49 30 1234567',
  file: `${mark}-file.pdf`,
  evidence: `${mark}-evidence`,
  note: `${mark}-note`,
})
type Canaries = ReturnType<typeof canariesOf>

const kybOf = ({ director, email, note }: Canaries): KybWrite => ({
  ...COMPLETE,
  contact: { first_name: director, last_name: director, email, phone: '+49301234567' },
  directors: [{ ...PERSON, full_name: director }],
  additional_data: { note },
})

/**
 * Creates a customer with everything that a partner may write about it. @param merchantEmail e-mail address that
 * another partner's customer may share
 */
const newSubject = async (
  mark: string,
  options: { write?: KybWrite; partner?: Customer['partner'] } = {},
) => {
  const canaries = canariesOf(mark)
  const customer = await onboarding.customer(options.partner ?? newPartner(), canaries.email)
  const write = options.write ?? { ...kybOf(canaries), ubos: [] }
  await kyb.write(customer, write)
  const document = await onboarding.upload(customer, { file_name: canaries.file })
  await onboarding.accept(customer, agreementId, { evidence: { said: canaries.evidence } })
  return { ...customer, canaries, document }
}

const tables = queryMany({
  name: 'test.tables',
  text: `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  row: z.object({ name: z.string() }),
})
const Row = z.record(z.string(), z.unknown())
const rowsOf = (table: string) =>
  queryMany({
    name: `test.rows-of.${table}`,
    text: `SELECT to_jsonb(t) AS row FROM ${table} t`,
    row: z.object({ row: Row }),
  })
type Backup = ReadonlyMap<string, readonly z.infer<typeof Row>[]>

/** A backup of the database as OPERATIONS.md has it: every table but `data_keys`. */
const backUp = async (): Promise<Backup> => {
  const names = (await tables(onboarding.db)).map(({ name }) => name).filter((name) => name !== 'data_keys')
  const rows = await Promise.all(names.map((name) => rowsOf(name)(onboarding.db)))
  return new Map(names.map((name, index) => [name, (rows[index] ?? []).map(({ row }) => row)]))
}

/** All text in a backup that the service's key ring and today's data keys can decrypt. */
const revealed = async (backup: Backup): Promise<string> => {
  const keys = new Map(
    (await rowsOf('data_keys')(onboarding.db)).map(({ row }) => [row['subject'], row['key_sealed']]),
  )
  const texts = [...backup.values()].flat().map((row) => JSON.stringify(row))
  for (const { table, key, column, contextOf } of SEALED_COLUMNS)
    for (const row of backup.get(table) ?? []) {
      const sealed = String(row[column])
      const dataKey = keys.get(sealed.split('.')[1])
      try {
        texts.push(
          onboarding.ring.vault.open(`${sealed}.${String(dataKey)}`, contextOf(String(row[key]))).toString(),
        )
      } catch {
        texts.push('unreadable')
      }
    }
  return texts.join('\n')
}
const found = (text: string, canaries: Canaries) =>
  Object.entries(canaries).flatMap(([name, value]) =>
    name !== 'phone' && text.includes(value) ? [name] : [],
  )

it('exports everything that was written, in pages', async () => {
  const { id, canaries, document } = await newSubject('exported')
  const records = await exported(id)
  expect(records.map(({ kind }) => kind)).toEqual(['customer', 'kyb_data', 'document', 'acceptance'])
  expect(records[0]?.data).toMatchObject({
    email: canaries.email,
    relationship_status: 'active',
    ended_at: null,
  })
  expect(records[1]?.data).toMatchObject({
    contact: { first_name: canaries.director, email: canaries.email },
    directors: [{ full_name: canaries.director }],
    additional_data: { note: canaries.note },
  })
  expect(records[2]).toMatchObject({ id: document.document_id, data: { file_name: canaries.file } })
  expect(records[3]?.data).toMatchObject({ evidence: { said: canaries.evidence } })
  expect(
    await onboarding.ask(personalData.export, OPERATOR, {
      params: { partnerCustomerId: newId('relationship') },
      query: {},
    }),
  ).toEqual({
    ok: false,
    code: 'resource_not_found',
  })
})

it('erases data from the database and the blob store, and makes it undecryptable in earlier backups', async () => {
  const subject = await newSubject('erased')
  const before = await backUp()
  expect(found(await revealed(before), subject.canaries)).toEqual([
    'email',
    'director',
    'file',
    'evidence',
    'note',
  ])
  const blobKey = String(
    before.get('documents')?.find((row) => row['id'] === subject.document.document_id)?.['blob_key'],
  )

  expect(await erase(subject.id)).toMatchObject({
    ok: false,
    code: 'invalid_state',
    details: [{ from: 'active', to: 'erased' }],
  })
  await onboarding.revoke(subject.id)
  const report = valueOf(await erase(subject.id))
  expect(report.erased).toEqual([
    'email',
    'names',
    'kyb_data',
    'documents',
    'acceptance_evidence',
    'external_customer_id',
    'identity',
    'requirement_messages',
  ])
  expect(report.remaining.map(({ what }) => what)).toEqual(['acceptances', 'payments', 'backups'])

  expect(found(await revealed(before), subject.canaries)).toEqual([])
  expect(found(await revealed(await backUp()), subject.canaries)).toEqual([])
  expect((await exported(subject.id)).map(({ kind }) => kind)).toEqual(['customer', 'acceptance'])
  await eventually(async () => (await onboarding.store.get(blobKey)) === null)
  // A repetition changes nothing and reports the same, and the relationship cannot be reinstated.
  expect(valueOf(await erase(subject.id))).toEqual(report)
  expect(await onboarding.reinstate(subject.id)).toMatchObject({ ok: false, code: 'invalid_state' })
  const again = await onboarding.newCustomer(subject.partner, newId('request'), subject.canaries.email)
  expect(again.customer_id).not.toBe(subject.merchantId)
})

it('notifies other services once that a relationship is erased, in a version after its revocation', async () => {
  const subject = await newSubject('told')
  const stateOf = async () => valueOf(await onboarding.resolve(subject.partner.partnerId, subject.id))
  await onboarding.revoke(subject.id)
  const revoked = await stateOf()
  valueOf(await erase(subject.id))
  const erased = await stateOf()
  expect([revoked, erased]).toMatchObject([
    { status: 'revoked', erased: false },
    { status: 'revoked', erased: true, version: revoked.version + 1 },
  ])
  valueOf(await erase(subject.id))
  expect(await stateOf()).toEqual(erased)
  const manager = await onboarding.bus.jetstreamManager()
  const told = await eventually(async () => {
    const stored = await manager.streams.getMessage(EVENT_STREAM, {
      last_by_subj: 'events.onboarding.relationship.changed',
    })
    const state = relationshipOf(DomainEvent.parse(stored?.json()))
    return state?.version === erased.version && state
  })
  expect(told).toEqual(erased)
})

it("keeps another partner's data of the same merchant, and reports what is shared", async () => {
  const subject = await newSubject('shared')
  const other = await onboarding.customer(newPartner(), subject.canaries.email)
  expect(other.merchantId).toBe(subject.merchantId)
  await kyb.write(other, kybOf(canariesOf('others')))
  const document = await onboarding.upload(other, { file_name: 'others.pdf' })
  const before = [await exported(other.id), await kyb.stored(other), await onboarding.documentsOf(other)]
  await onboarding.revoke(subject.id)
  const { erased, remaining } = valueOf(await erase(subject.id))
  expect(erased).not.toContain('identity')
  expect(remaining.map(({ what }) => what)).toEqual([
    'identity',
    'requirement_messages',
    'acceptances',
    'payments',
    'backups',
  ])
  expect([await exported(other.id), await kyb.stored(other), await onboarding.documentsOf(other)]).toEqual(
    before,
  )
  const { download_url: url } = valueOf(await onboarding.download(other.partner, document.document_id))
  const { blob_key, blob_secret } = valueOf(await onboarding.open(url.split('/').at(-1) ?? ''))
  const pieces: Buffer[] = []
  for await (const piece of (await onboarding.blobs.read(blob_key, blob_secret)) ?? []) pieces.push(piece)
  expect(Buffer.concat(pieces)).toEqual(BYTES)
})

it('keeps records of a submitted case until their retention ends, and then erases them by age', async () => {
  const pending = await kyb.newPending(canariesOf('kept').email)
  await onboarding.revoke(pending.id)
  const ended = onboarding.clock.nowMs()
  const until = new Date(ended + KYB_RETENTION_MS).toISOString()
  const { erased, remaining } = valueOf(await erase(pending.id))
  expect(erased).toEqual([])
  expect(remaining[0]).toMatchObject({ what: 'kyb_records', until })
  expect((await exported(pending.id))[1]?.kind).toBe('kyb_data')

  onboarding.clock.advance(KYB_RETENTION_MS)
  await eventually(async () => (await exported(pending.id)).every(({ kind }) => kind === 'customer'))
  expect(valueOf(await erase(pending.id)).erased).toContain('kyb_data')
  // Staff see the case, without personal data.
  expect(valueOf(await kyb.getCase(pending.verificationId)).verification.relationships).toEqual([])
})

it('exports the copy that staff compare with, and erases it with the data', async () => {
  const pending = await kyb.newPending(canariesOf('compared').email)
  const canaries = canariesOf('compared')
  await kyb.write(pending)
  await kyb.reject(pending.verificationId)
  await kyb.write(pending, { directors: [{ ...PERSON, full_name: canaries.director }] })
  await kyb.reject(pending.verificationId)
  await kyb.write(pending, { directors: [PERSON] })
  const copy = (await exported(pending.id)).find(({ data }) => 'as_of' in data)
  expect(copy).toMatchObject({
    kind: 'kyb_data',
    id: pending.id,
    data: {
      as_of: onboarding.clock.now().toISOString(),
      directors: [{ full_name: canaries.director }],
    },
  })
  const before = await backUp()
  expect(found(await revealed(before), canaries)).toEqual(['email', 'director'])
  await onboarding.revoke(pending.id)
  onboarding.clock.advance(KYB_RETENTION_MS)
  await eventually(async () => (await exported(pending.id)).every(({ kind }) => kind === 'customer'))
  expect(found(await revealed(before), canaries)).toEqual([])
  expect(found(await revealed(await backUp()), canaries)).toEqual([])
})
