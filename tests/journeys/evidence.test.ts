import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import type { PartnerClient } from '@causeway/client'
import { eventually } from '@causeway/chassis/testing'
import { createHash, randomBytes } from 'node:crypto'
import { dataOf, signIn, type Answer, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { newPartner, registerReceiver, claimPlatform, type ClaimedPlatform } from './platform.ts'

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let stranger: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform)
  stranger = await newPartner(platform)
  receiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver)
})
afterAll(async () => {
  await receiver.stop()
  platform.discard()
})

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000)])
const UPLOAD = {
  document_type: 'proof_of_address',
  file_name: 'bill.pdf',
  content_base64: PDF.subarray(0, 50_000).toString('base64'),
}
type Document = { document_id: string; status: string; file_size_bytes: number; file_name: string }
type Download = { document: Document; download_url: string; expires_at: string }

const signUp = async ({ createCustomer }: PartnerClient) => {
  const mark = newId('request')
  const body = { external_customer_id: mark, email: `${mark}@example.com` }
  return (await createCustomer({ body })).partner_customer_id
}
const pathOf = (customerId: string) => `/api/v1/partner/customers/${customerId}`
const upload = async (api: RawClient, customerId: string) =>
  dataOf<{ document: Document }>(await api.post(`${pathOf(customerId)}/documents`, UPLOAD)).document
/** A response without what differs between any two requests. */
const bare = ({ status, headers, body }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-)/.test(name)),
  text: JSON.stringify(body).replaceAll(String(headers.get('x-request-id')), 'req'),
})
const received = (type: string, id: string) =>
  eventually(
    () =>
      receiver.deliveries.find(
        ({ event, verified }) =>
          verified && event.event_type === type && Object.values(event.data).includes(id),
      )?.event.data,
  )

describe('a document', () => {
  test('is uploaded by a form, downloaded without a credential, and reviewed', async () => {
    const customer = await signUp(partner.causeway)
    const form = new FormData()
    form.set('document_type', 'bank_statement')
    form.set('file', new Blob([PDF], { type: 'text/plain' }), '../Kontoauszug März.pdf')
    const uploaded = await fetch(`${platform.baseUrl}${pathOf(customer)}/documents`, {
      method: 'POST',
      headers: { authorization: await authorizationOf(partner) },
      body: form,
    })
    expect(uploaded.status).toBe(201)
    const { document } = ((await uploaded.json()) as { data: { document: Document } }).data
    expect(document).toMatchObject({
      document_type: 'bank_statement',
      file_name: 'Kontoauszug März.pdf',
      mime_type: 'application/pdf',
      file_size_bytes: PDF.length,
      status: 'uploaded',
      rejection_reason: null,
      submitted_by_partner_id: partner.partnerId,
    })
    expect(dataOf(await partner.api.get(`${pathOf(customer)}/documents`))).toEqual({
      documents: [document],
      next_cursor: null,
    })

    const askedMs = Date.now()
    const download = dataOf<Download>(
      await partner.api.get(`/api/v1/partner/documents/${document.document_id}/download`),
    )
    expect(download.document).toEqual(document)
    // The service's clock follows its database's, which may be slightly ahead of this process's.
    const issuedMs = Date.parse(download.expires_at) - 300_000
    expect(issuedMs).toBeGreaterThan(askedMs - 5_000)
    expect(issuedMs).toBeLessThan(Date.now() + 5_000)
    const file = await fetch(download.download_url)
    expect(Buffer.from(await file.arrayBuffer()).equals(PDF)).toBe(true)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    const forged = download.download_url.replace(document.document_id, newId('document'))
    expect((await fetch(forged)).status).toBe(404)

    const review = await platform.staff.post(`/api/operator/documents/${document.document_id}/review`, {
      status: 'rejected',
      rejection_reason: 'It is cut off',
    })
    expect(dataOf(review)).toEqual({
      document: { ...document, status: 'rejected', rejection_reason: 'It is cut off' },
    })
    expect(await received('document.reviewed', document.document_id)).toEqual({
      partner_customer_id: customer,
      customer_id: expect.stringMatching(/^cus_/),
      document_id: document.document_id,
      document_type: 'bank_statement',
      status: 'rejected',
    })
  })

  test("is refused with identical bytes for another partner's, a revoked and an unknown customer", async () => {
    const [own, revoked, foreign] = [
      await signUp(partner.causeway),
      await signUp(partner.causeway),
      await signUp(stranger.causeway),
    ]
    const kept = await upload(partner.api, own)
    const gone = await upload(partner.api, revoked)
    const other = await upload(stranger.api, foreign)
    await platform.staff.post(`/api/operator/customers/${revoked}/revoke`)
    expect(kept.status).toBe('uploaded')
    for (const ask of [
      (id: string) => partner.api.get(`${pathOf(id)}/documents`),
      (id: string) => partner.api.post(`${pathOf(id)}/documents`, UPLOAD),
      (id: string) => partner.api.get(`${pathOf(id)}/agreements`),
    ]) {
      const unknown = bare(await ask(newId('relationship')))
      expect(unknown.status).toBe(404)
      for (const id of [foreign, revoked, 'pcu_malformed']) expect(bare(await ask(id))).toEqual(unknown)
    }
    const download = (id: string) => partner.api.get(`/api/v1/partner/documents/${id}/download`)
    const unknown = bare(await download(newId('document')))
    expect(unknown.status).toBe(404)
    for (const id of [other.document_id, gone.document_id, 'doc_malformed'])
      expect(bare(await download(id))).toEqual(unknown)
  })

  test('is downloaded only with a token that has the scopes for documents and cases', async () => {
    const customer = await signUp(partner.causeway)
    const { document_id: id } = await upload(partner.api, customer)
    for (const scope of ['documents:read', 'kyb:read', 'documents:write']) {
      const api = await signedInWith(partner, scope)
      const answer = await api.get(`/api/v1/partner/documents/${id}/download`)
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'insufficient_scope'])
    }
    const api = await signedInWith(partner, 'documents:read kyb:read')
    expect((await api.get(`/api/v1/partner/documents/${id}/download`)).status).toBe(200)
  })
})

describe('an agreement', () => {
  test('is served with the bytes of its hash, accepted once by 32 concurrent calls, and emits its event', async () => {
    const customer = await signUp(partner.causeway)
    const content = Buffer.from('Wir vereinbaren, was folgt.')
    const { agreement } = dataOf<{ agreement: { agreement_id: string } & Record<string, string> }>(
      await platform.staff.post('/api/operator/agreements', {
        title: 'Terms',
        version: '2026/1 ä',
        effective_date: '2026-01-01',
        parties: [{ role: 'provider', name: 'Causeway' }],
        disclosure: 'You agree.',
        content_base64: content.toString('base64'),
      }),
    )
    const document = await fetch(agreement['document_url'] ?? '')
    const bytes = Buffer.from(await document.arrayBuffer())
    expect(bytes).toEqual(content)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(agreement['content_hash'])
    expect(document.headers.get('cache-control')).toContain('immutable')
    const wrong = agreement['document_url']?.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect((await fetch(wrong ?? '')).status).toBe(404)

    const body = {
      agreement_version: '2026/1 ä',
      acceptance_channel: 'partner_web',
      accepted_at: new Date().toISOString(),
      evidence: { checkbox: true },
    }
    const path = `${pathOf(customer)}/agreements/${agreement.agreement_id}/acceptances`
    const answers = await Promise.all(Array.from({ length: 32 }, () => partner.api.post(path, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(31).fill(200), 201])
    const records = answers.map((answer) => JSON.stringify(dataOf(answer)))
    expect(new Set(records).size).toBe(1)
    expect(await received('agreement.accepted', agreement.agreement_id)).toMatchObject({
      partner_customer_id: customer,
      agreement_version: '2026/1 ä',
    })
    const { agreements } = await partner.causeway.listAgreements({ customerId: customer })
    expect(agreements).toEqual([
      {
        ...agreement,
        status: 'accepted',
        current_acceptance: dataOf<{ acceptance: unknown }>(answers[0] as Answer).acceptance,
        previous_acceptances: [],
      },
    ])
  })
})

type Partner = Awaited<ReturnType<typeof newPartner>>
const tokenOf = async ({ clientId, clientSecret }: Partner, scope?: string): Promise<string> => {
  const answer = await fetch(`${platform.baseUrl}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
const authorizationOf = async (of: Partner, scope?: string) => `Bearer ${await tokenOf(of, scope)}`
const signedInWith = (of: Partner, scope: string): Promise<RawClient> =>
  signIn({ baseUrl: platform.baseUrl, clientId: of.clientId, clientSecret: of.clientSecret, scope })
