import { REQUIRED_DOCUMENT_TYPES, type DocumentType } from '@causeway/contracts'
import { dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { SAMPLE_CASE, SAMPLE_FILE } from '@causeway/scenario'
import { event, ok, type Parties } from '../story.ts'

const PDF = Buffer.from(SAMPLE_FILE).toString('base64')

type Customer = Readonly<{ partner_customer_id: string; customer_id: string }>
type Single<Name extends string, Id extends string> = Record<Name, Record<Id, string>>

/** A partner links a customer. */
const signUp = async (partner: RawClient): Promise<Customer> => {
  const body = { external_customer_id: 'shop-4711', email: 'ada@example.com' }
  const made = await ok<Customer>(partner.post('/api/v1/partner/customers', body))
  await ok(partner.post('/api/v1/partner/customers', body))
  await ok(partner.get('/api/v1/partner/customers?limit=50'))
  return made
}

const uploadDocument = (partner: RawClient, path: string, type: DocumentType) => {
  const file = { document_type: type, file_name: `${type}.pdf`, content_base64: PDF }
  return ok(partner.post(`${path}/documents`, file))
}

/** Accepts every agreement, with the evidence of it. */
const acceptAgreements = async (partner: RawClient, path: string, evidence: object): Promise<void> => {
  const { agreements } = await ok<{ agreements: { agreement_id: string; version: string }[] }>(
    partner.get(`${path}/agreements`),
  )
  for (const { agreement_id, version } of agreements)
    await ok(
      partner.post(`${path}/agreements/${agreement_id}/acceptances`, {
        agreement_version: version,
        acceptance_channel: 'partner_web',
        accepted_at: new Date().toISOString(),
        evidence,
      }),
    )
}

/** The partner sends what its customer's case asks for, in two steps. @returns the id of the case */
const submit = async ({ client, staff }: Parties, partner: RawClient, path: string): Promise<string> => {
  await ok(partner.get('/api/v1/partner/onboarding/schema'))
  const { business, contact } = SAMPLE_CASE
  await ok(partner.post(`${path}/verifications`, { business, contact }))
  for (const type of REQUIRED_DOCUMENT_TYPES) await uploadDocument(partner, path, type)
  const { documents } = await ok<{ documents: { document_id: string }[] }>(
    partner.get(`${path}/documents?limit=1`),
  )
  const [document] = documents
  const { download_url: url } = await ok<{ download_url: string }>(
    partner.get(`/api/v1/partner/documents/${document?.document_id}/download`),
  )
  const downloaded = await fetch(url)
  if (!downloaded.ok) throw new Error(`The download answered ${downloaded.status}`)
  const { onboarding_link: link } = await ok<Single<'onboarding_link', 'onboarding_link_id'>>(
    partner.post(`${path}/onboarding-links`, { return_url: 'https://shop.example/welcome' }),
  )
  await partner.delete(`${path}/onboarding-links/${link.onboarding_link_id}`)
  await ok(partner.get(`${path}/next-steps`))
  await ok(staff.get(`${path.replace('/api/v1/partner', '/api/operator')}/next-steps`))
  await ok(partner.get(`${path}/agreements`))
  await acceptAgreements(partner, path, {})
  // A partner that has lost the answer repeats the call.
  await acceptAgreements(partner, path, { checkbox: true })
  const { verification } = await ok<Single<'verification', 'verification_id'>>(
    partner.post(`${path}/verifications`, SAMPLE_CASE),
  )
  await ok(partner.get(`/api/v1/partner/verifications/${verification.verification_id}`))
  await client().get('/healthz')
  return verification.verification_id
}

/** A PNG of one pixel. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A partner, and staff for it, set how its pages look, and how those of one customer do. */
export const setBrand = async (
  { staff }: Parties,
  partner: RawClient,
  { path, partnerPath }: { path: string; partnerPath: string },
) => {
  const own = '/api/v1/partner/brand'
  const brand = { name: 'Acme Pay', accent_color: '#0d5c46', support_address: 'help@acme.example' }
  await ok(partner.put(own, brand))
  await ok(partner.put(`${own}/logo`, { content_base64: LOGO }))
  await ok(partner.get(own))
  await ok(partner.put(`${path}/brand`, { name: 'Corner Shop' }))
  const { brand: shown } = await ok<{ brand: { logo: { url: string } } }>(
    partner.put(`${path}/brand/logo`, { content_base64: LOGO }),
  )
  const image = await fetch(shown.logo.url)
  if (!image.ok) throw new Error(`The logo answered ${image.status}`)
  await ok(partner.get(`${path}/brand`))
  await ok(partner.delete(`${path}/brand/logo`))
  await ok(partner.delete(`${own}/logo`))
  const ofStaff = `${partnerPath}/brand`
  await ok(staff.put(ofStaff, brand))
  await ok(staff.put(`${ofStaff}/logo`, { content_base64: LOGO }))
  await ok(staff.get(ofStaff))
  await ok(staff.delete(`${ofStaff}/logo`))
}

const askForMore = async (
  { staff }: Parties,
  partner: RawClient,
  { path, merchantId }: { path: string; merchantId: string },
) => {
  const question = { kind: 'clarification', message: 'Which goods do you sell outside the EU?' }
  const { requirement } = await ok<Single<'requirement', 'requirement_id'>>(
    partner.post(`${path}/requirements`, question),
  )
  const own = `${path}/requirements/${requirement.requirement_id}`
  await ok(partner.get(own))
  await ok(partner.get(`${path}/requirements?status=open`))
  await ok(partner.patch(own, { status: 'fulfilled' }))
  await ok(partner.patch(own, { status: 'satisfied' }))
  const ofStaff = `/api/operator/merchants/${merchantId}/requirements`
  const asked = await ok<Single<'requirement', 'requirement_id'>>(
    staff.post(ofStaff, {
      kind: 'document',
      document_type: 'proof_of_address',
      message: 'A newer one, please.',
    }),
  )
  await ok(staff.get(ofStaff))
  const { documents } = await ok<{ documents: { document_id: string; document_type: string }[] }>(
    partner.get(`${path}/documents?limit=1`),
  )
  const proof = documents.find(({ document_type: type }) => type === 'proof_of_address')
  await ok(
    partner.patch(`${path}/requirements/${asked.requirement.requirement_id}`, {
      status: 'fulfilled',
      document_id: proof?.document_id,
    }),
  )
  await ok(
    staff.patch(`/api/operator/requirements/${asked.requirement.requirement_id}`, { status: 'satisfied' }),
  )
}

/** Staff reject the case, and approve it once it was submitted again. */
const review = async (
  { staff }: Parties,
  partner: RawClient,
  { path, relationshipId, verificationId }: { path: string; relationshipId: string; verificationId: string },
) => {
  await ok(staff.get('/api/operator/verifications?status=pending'))
  const { documents } = await ok<{ documents: { document_id: string }[] }>(
    staff.get(`/api/operator/customers/${relationshipId}/documents`),
  )
  await ok(staff.get(`/api/operator/documents/${documents[0]?.document_id}/download`))
  await ok(
    staff.post(`/api/operator/documents/${documents[0]?.document_id}/review`, {
      status: 'rejected',
      rejection_reason: 'The scan is cut off.',
    }),
  )
  const one = `/api/operator/verifications/${verificationId}`
  await ok(staff.post(`${one}/reject`, { rejection_reason: 'document_illegible' }))
  dataOf(await partner.post(`${path}/documents`, REPLACEMENT))
  await ok(partner.post(`${path}/verifications`, { contact: { phone: '+44 20 7946 0000' } }))
  const { verification } = await ok<{ verification: { version: number } }>(staff.get(one))
  await ok(staff.post(`${one}/approve`, { version: verification.version }))
  await ok(partner.get(`${path}/verifications`))
  await ok(staff.get('/api/operator/review-figures'))
}

const REPLACEMENT = {
  document_type: 'certificate_of_incorporation',
  file_name: 'certificate.pdf',
  content_base64: Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n').toString('base64'),
}

/** A customer from its sign-up to its approval. */
export const onboard = async (parties: Parties, partner: RawClient) => {
  const { customer_id: merchantId, partner_customer_id: relationshipId } = await signUp(partner)
  const path = `/api/v1/partner/customers/${relationshipId}`
  const verificationId = await submit(parties, partner, path)
  await askForMore(parties, partner, { path, merchantId })
  await review(parties, partner, { path, relationshipId, verificationId })
  for (const name of [
    'verification.pending',
    'verification.rejected',
    'verification.approved',
    'customer.updated',
  ])
    await event(parties, name)
  await ok(partner.get(`${path}/capabilities`))
  await ok(partner.get(path))
  return { path, merchantId, relationshipId }
}

/** A second partner links the same merchant, which staff confirm. */
export const linkAgain = async ({ staff, client, platform }: Parties): Promise<void> => {
  const made = await ok<{ client: { client_id: string; client_secret: string } }>(
    platform.staff.post('/api/operator/partners', { name: 'Second Marketplace' }),
  )
  const { body } = await client().post('/api/oauth/token', {
    grant_type: 'client_credentials',
    ...made.client,
  })
  const second = client({ authorization: `Bearer ${String(body['access_token'])}` })
  const { partner_customer_id: id } = await ok<Customer>(
    second.post('/api/v1/partner/customers', { external_customer_id: 'a-17', email: 'ada@example.com' }),
  )
  await ok(staff.post(`/api/operator/customers/${id}/confirm-link`))
}
