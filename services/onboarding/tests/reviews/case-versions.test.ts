import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals'
import { agreements, documents, relationships } from '@causeway/contracts'
import { kybCalls, valueOf, type KybCalls } from '../verifications/kyb-calls.ts'
import { COMPLETE, PERSON } from '../verifications/kyb-data.ts'
import { OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
let kyb: KybCalls
beforeAll(async () => {
  onboarding = await startForTests()
  kyb = kybCalls(onboarding)
})
afterAll(() => onboarding.stop())

type Pending = Awaited<ReturnType<KybCalls['newPending']>>

const OTHER_DIRECTOR = { ...PERSON, full_name: 'Somebody Else' }

const raise = ({ partner, id }: Pending) =>
  kyb.raise(partner, id, { kind: 'clarification', message: 'Which bank?' })
/** A partner opens its own pending case and replaces the director. */
const replaceDirector = async (customer: Pending) => {
  await raise(customer)
  await kyb.write(customer, { directors: [OTHER_DIRECTOR] })
}
const caseOf = async ({ verificationId }: Pending) => valueOf(await kyb.getCase(verificationId)).verification

const modified = (to: string, version: number | undefined, editedAt: string | null | undefined) => ({
  ok: false,
  code: 'invalid_state',
  details: [
    {
      from: 'pending',
      to,
      reason: 'modified',
      version,
      edited_at: editedAt,
      expected: 'the version of the case that you have read',
    },
  ],
})

describe('a case that its partner edits while a reviewer has it open', () => {
  it('is approved only once the reviewer has read the edit', async () => {
    const customer = await kyb.newPending()
    const opened = await caseOf(customer)
    expect(opened).toMatchObject({ version: expect.any(Number), edited_at: null })
    await replaceDirector(customer)

    const edited = await caseOf(customer)
    const refusal = modified('approved', edited.version, edited.edited_at)
    expect(await kyb.approve(customer.verificationId, opened.version)).toEqual(refusal)
    expect(await kyb.approve(customer.verificationId)).toEqual(refusal)
    expect(await kyb.stored(customer)).toMatchObject({ status: 'pending' })

    expect(edited.relationships[0]?.directors).toEqual([OTHER_DIRECTOR])
    expect(await kyb.approve(customer.verificationId, edited.version)).toMatchObject({ ok: true })
  })

  it('is either approved as it was read or edited when both happen concurrently', async () => {
    for (let round = 0; round < 12; round += 1) {
      const customer = await kyb.newPending()
      await raise(customer)
      const version = await kyb.versionOf(customer.verificationId)
      const [approval, edit] = await Promise.all([
        kyb.approve(customer.verificationId, version),
        kyb.submit(customer.partner, customer.id, { directors: [OTHER_DIRECTOR] }),
      ])
      const { status, directors } = await kyb.stored(customer)
      expect([approval.ok, edit.ok]).toEqual(approval.ok ? [true, false] : [false, true])
      expect({ status, directors }).toEqual(
        approval.ok
          ? { status: 'approved', directors: COMPLETE.directors }
          : { status: 'pending', directors: [OTHER_DIRECTOR] },
      )
    }
  })

  it('is rejected only in the version that the reviewer names, if any', async () => {
    const customer = await kyb.newPending()
    const { version } = await caseOf(customer)
    await replaceDirector(customer)
    const edited = await caseOf(customer)
    expect(await kyb.reject(customer.verificationId, 'other', version)).toEqual(
      modified('rejected', edited.version, edited.edited_at),
    )
    expect(await kyb.reject(customer.verificationId)).toMatchObject({ ok: true })
  })

  it('moves to the end of the queue, and shows when it was edited', async () => {
    const [first, second] = [await kyb.newPending(), await kyb.newPending()]
    const queued = async () => {
      const { verifications } = valueOf(await kyb.queue({ status: 'pending', limit: '100' }))
      const ids = [first.verificationId, second.verificationId]
      return verifications.filter(({ verification_id: id }) => ids.includes(id))
    }
    expect((await queued()).map((entry) => [entry.verification_id, entry.edited_at])).toEqual([
      [first.verificationId, null],
      [second.verificationId, null],
    ])
    onboarding.clock.advance(60_000)
    await replaceDirector(first)
    expect((await queued()).map((entry) => [entry.verification_id, entry.edited_at])).toEqual([
      [second.verificationId, null],
      [first.verificationId, onboarding.clock.now().toISOString()],
    ])
  })

  it('counts as unedited again once it was rejected and resubmitted', async () => {
    const customer = await kyb.newPending()
    await replaceDirector(customer)
    await kyb.reject(customer.verificationId)
    await kyb.write(customer, { directors: [PERSON] })
    expect(await caseOf(customer)).toMatchObject({ status: 'pending', edited_at: null })
    expect(await kyb.approve(customer.verificationId)).toMatchObject({ ok: true })
  })
})

const uploadDocument = async ({ partner, id: customerId }: Pending) => {
  const params = { customerId }
  const { blob_key } = valueOf(await onboarding.ask(documents.createUpload, partner, { params }))
  const body = {
    blob_key,
    blob_secret: Buffer.alloc(32, 1).toString('base64url'),
    document_type: 'bank_statement',
    file_name: 'statement.pdf',
    mime_type: 'application/pdf',
    file_size_bytes: 3,
  }
  return valueOf(await onboarding.ask(documents.create, partner, { params, body }))
}

const reviewDocument = async (customer: Pending) => {
  const documentId = (await caseOf(customer)).relationships[0]?.documents[0]?.document_id
  const body = { status: 'accepted' }
  return valueOf(await onboarding.ask(documents.review, OPERATOR, { params: { documentId }, body }))
}

const cancel = async (customer: Pending) => {
  const raised = valueOf(await raise(customer))
  const { requirement_id: id } = raised.requirement
  return valueOf(await kyb.update(customer.partner, customer.id, id, { status: 'cancelled' }))
}

const revokeSecond = async ({ merchant }: Pending, email: string) => {
  const second = await kyb.newCustomer(email)
  expect(second.merchant).toBe(merchant)
  await kyb.write(second)
  const params = { partnerCustomerId: second.id }
  return valueOf(await onboarding.ask(relationships.revoke, OPERATOR, { params }))
}

const EMAIL = 'version-of-a-second-relationship@example.com'

const EDITS = ' and counts as an edit'
const NO_EDIT = ' and an approval without a version still follows it'

test.each<{ what: string; ending: string; change: (customer: Pending) => Promise<unknown>; email?: string }>([
  { what: 'new data', ending: EDITS, change: replaceDirector },
  {
    what: 'a new document',
    ending: EDITS,
    change: async (customer) => [await raise(customer), await uploadDocument(customer)],
  },
  { what: 'a review of a document', ending: NO_EDIT, change: reviewDocument },
  { what: 'a requirement', ending: NO_EDIT, change: raise },
  { what: 'the end of a requirement', ending: NO_EDIT, change: cancel },
  {
    what: 'another relationship',
    ending: NO_EDIT,
    email: EMAIL,
    change: (customer) => revokeSecond(customer, EMAIL),
  },
])('changes the version of a case by $what,$ending', async ({ change, ending, email }) => {
  const isEdit = ending === EDITS
  const customer = await kyb.newPending(email)
  const { version = 0 } = await caseOf(customer)
  await change(customer)
  const after = await caseOf(customer)
  expect(after.version).toBeGreaterThan(version)
  expect(after.edited_at === null).toBe(!isEdit)
  expect(await kyb.approve(customer.verificationId, version)).toMatchObject({
    details: [{ reason: 'modified' }],
  })
  // What is no edit of the partner's needs no version: the case is as it was submitted.
  expect((await kyb.approve(customer.verificationId)).ok).toBe(!isEdit)
})

test('changes the version of a case by an acceptance, and an approval without a version still follows it', async () => {
  const customer = await kyb.newPending()
  const content = Buffer.from('Terms').toString('base64')
  const body = {
    title: 'Terms',
    version: '1',
    effective_date: '2026-01-01',
    parties: [{ role: 'provider', name: 'Causeway' }],
    disclosure: 'Please read',
    content_base64: content,
  }
  const { agreement } = valueOf(await onboarding.ask(agreements.publish, OPERATOR, { body }))
  const { version = 0 } = await caseOf(customer)
  const acceptance = {
    agreement_version: '1',
    accepted_at: onboarding.clock.now().toISOString(),
    acceptance_channel: 'partner_web',
    evidence: {},
  }
  const params = { customerId: customer.id, agreementId: agreement.agreement_id }
  valueOf(await onboarding.ask(agreements.accept, customer.partner, { params, body: acceptance }))
  expect((await caseOf(customer)).version).toBe(version + 1)
  expect(await kyb.approve(customer.verificationId, version)).toMatchObject({
    details: [{ reason: 'modified' }],
  })
  expect(await kyb.approve(customer.verificationId)).toMatchObject({ ok: true })
})
