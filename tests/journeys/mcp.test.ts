import { createPartnerClient, type PartnerClient } from '@causeway/client'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { SCOPES } from '@causeway/contracts'
import { startAssistant, type Assistant } from '../../packages/mcp/tests/assistant.ts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { verifyCustomer } from '@causeway/scenario'
import { newPartner, newShop, claimPlatform, type ClaimedPlatform } from './platform.ts'

const TERMS = {
  title: 'Terms',
  version: '1',
  effective_date: '2026-01-01',
  parties: [{ role: 'service', name: 'Causeway' }],
  disclosure: 'Read them.',
  content_base64: Buffer.from('Terms').toString('base64'),
}

let platform: ClaimedPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let causeway: PartnerClient
const started: Assistant[] = []
beforeAll(async () => {
  platform = await claimPlatform()
  partner = await newPartner(platform, { scopes: SCOPES })
  causeway = createPartnerClient({ baseUrl: platform.baseUrl, ...partner })
  dataOf(await platform.staff.post('/api/operator/agreements', TERMS))
})
afterEach(() => Promise.all(started.splice(0).map((assistant) => assistant.stop())))
afterAll(() => platform.discard())

const start = async (credential: Record<string, string>) => {
  const assistant = await startAssistant({ CAUSEWAY_BASE_URL: platform.baseUrl, ...credential })
  started.push(assistant)
  return assistant
}
const startForPartner = ({ clientId, clientSecret }: typeof partner, scope?: string) =>
  start({
    CAUSEWAY_CLIENT_ID: clientId,
    CAUSEWAY_CLIENT_SECRET: clientSecret,
    ...(scope !== undefined && { CAUSEWAY_SCOPE: scope }),
  })
const apiKeyOf = async (merchantId: string) => {
  const path = `/api/operator/merchants/${merchantId}/api-keys`
  return dataOf<{ api_key: string }>(await platform.staff.post(path)).api_key
}
const newCustomer = () => causeway.createCustomer({ body: newShop() })
const names = async (assistant: Assistant) => (await assistant.tools()).map(({ name }) => name).toSorted()

type Operation = { operationId: string; security: Record<string, string[]>[] }
/** Returns the reads of the OpenAPI document for a kind of credential. */
const readsOf = async (credential: string, isAllowed: (scopes: string[]) => boolean) => {
  const answer = await fetch(`${platform.baseUrl}/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.values(paths).flatMap(({ get }) =>
    get?.security.some((scheme) => scheme[credential] !== undefined && isAllowed(scheme[credential]))
      ? [get.operationId]
      : [],
  )
}

test('offers a partner every read except the links to documents, and the answer to one question', async () => {
  const reads = await readsOf('partnerToken', () => true)
  const expected = [...reads.filter((read) => read !== 'getDocumentDownload'), 'whyNotLive']
  expect(expected.length).toBeGreaterThan(20)
  expect(await names(await startForPartner(partner))).toEqual(expected.toSorted())
})

test('offers fewer tools for a token with fewer scopes', async () => {
  const assistant = await startForPartner(partner, 'orders:read kyb:read')
  const expected = await readsOf('partnerToken', (scopes) =>
    scopes.every((scope) => ['orders:read', 'kyb:read'].includes(scope)),
  )
  expect(await names(assistant)).toEqual(expected.toSorted())
  await expect(assistant.call('listCustomers')).rejects.toThrow(
    'There is no tool listCustomers, or the credential does not allow it',
  )
})

test('offers a merchant’s key what the merchant may read, and reads it', async () => {
  const { customer_id: merchantId } = await newCustomer()
  const assistant = await start({ CAUSEWAY_API_KEY: await apiKeyOf(merchantId) })
  expect(await names(assistant)).toEqual((await readsOf('merchantKey', () => true)).toSorted())
  const { structuredContent } = await assistant.call('listApiKeys')
  expect(structuredContent).toMatchObject({ apiKeys: [{ keyId: expect.stringMatching(/^key_/) }] })
})

test('explains why a merchant is not live, from its sign-up to its approval', async () => {
  const { partner_customer_id: customerId, external_customer_id: shop } = await newCustomer()
  const assistant = await startForPartner(partner)
  const ask = async () => (await assistant.call('whyNotLive', { customerId })).structuredContent
  expect(await ask()).toMatchObject({
    external_customer_id: shop,
    relationship_status: 'active',
    capabilities: expect.arrayContaining([
      { capability: 'payments.crypto', enabled: true, available: false, reason: 'verification_required' },
    ]),
    verification: null,
    open_requirements: null,
    documents: [],
    agreements_not_accepted: [{ status: 'required', document_url: expect.stringContaining('/agreements/') }],
    not_read: [],
  })
  await verifyCustomer({ partner: causeway, staff: platform.staff }, customerId)
  await causeway.raiseRequirement({ customerId, body: { kind: 'clarification', message: 'Which market?' } })
  const live = await ask()
  expect(live).toMatchObject({
    capabilities: expect.arrayContaining([
      { capability: 'payments.crypto', enabled: true, available: true, reason: null },
    ]),
    verification: { status: 'approved' },
    open_requirements: [{ message: 'Which market?' }],
    agreements_not_accepted: [],
  })
  // The data by which the merchant was verified is not part of the answer.
  expect(JSON.stringify(live)).not.toContain('Ada')
})

test('continues a list where the page before ended, by the cursor of that page', async () => {
  const made = [await newCustomer(), await newCustomer(), await newCustomer()]
  const assistant = await startForPartner(partner)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const input = { limit: 2, ...(cursor !== null && { cursor }) }
    const { structuredContent } = await assistant.call('listCustomers', input)
    const page = structuredContent as Awaited<ReturnType<PartnerClient['listCustomers']>>
    seen.push(...page.customers.map(({ partner_customer_id: id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(made.map(({ partner_customer_id: id }) => id)))
})

test('finds another partner’s customer by no tool that takes one', async () => {
  const { partner_customer_id: customerId } = await newCustomer()
  const assistant = await startForPartner(await newPartner(platform))
  const tools = await assistant.tools()
  const asking = tools.filter(({ inputSchema }) => inputSchema.required?.join() === 'customerId')
  expect(asking.length).toBeGreaterThan(8)
  for (const { name } of asking) {
    const { isError, structuredContent } = await assistant.call(name, { customerId })
    expect([name, isError, structuredContent]).toMatchObject([
      name,
      true,
      { error: { code: 'resource_not_found', request_id: expect.stringMatching(/^req_/) } },
    ])
  }
})
