import { createSign, generateKeyPairSync } from 'node:crypto'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES, StaffRole } from '@causeway/contracts'
import { createRawClient, dataOf } from '@causeway/dev-env/platform/raw-client'
import { newPartner, signUp, type TestPlatform } from '../journeys/platform.ts'
import type { Tenant } from './tenant.ts'

/** The parts of the API, by who calls them. */
export type Realm = 'partner' | 'merchant' | 'operator'

/** A credential, and what it allows. */
export type Credential = Readonly<{
  name: string
  headers: Readonly<Record<string, string>>
  /** The part of the API that it is accepted at; null: none. */
  opens: Realm | null
  /** Scopes of a token; null for other credentials. */
  scopes: readonly string[] | null
  /** Role of a staff key; null for other credentials. */
  role: StaffRole | null
  /** `owner`: of the tenant; `other`: of somebody else. */
  is: 'owner' | 'other'
}>

const TOKEN_LIFE_MS = 15 * 60_000

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const refused = (name: string, headers: Record<string, string>): Credential => ({
  name,
  headers,
  opens: null,
  scopes: null,
  role: null,
  is: 'owner',
})

type Client = Readonly<{ clientId: string; clientSecret: string }>

/** An API key of a merchant of the other partner. */
const otherPartnersApiKey = async (
  platform: TestPlatform,
  { causeway }: CredentialSources['otherPartner'],
): Promise<string> => {
  const { merchantId } = await signUp(causeway)
  const made = await platform.staff.post(`/api/operator/merchants/${merchantId}/api-keys`)
  return dataOf<{ api_key: string }>(made).api_key
}

const tokenOf = async (platform: TestPlatform, client: Client, scope?: string): Promise<string> => {
  const answer = await createRawClient({ baseUrl: platform.baseUrl }).post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    ...(scope === undefined ? {} : { scope }),
  })
  if (answer.status !== 200) throw new Error(`No token: ${JSON.stringify(answer.body)}`)
  return String(answer.body['access_token'])
}

const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Forged tokens with the claims of a genuine one. */
const forgeries = (token: string): Credential[] => {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const foreign = createSign('sha256')
    .update(`${head}.${payload}`)
    .sign({ key: privateKey, dsaEncoding: 'ieee-p1363' })
    .toString('base64url')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number }
  const later = segment({ ...claims, exp: claims.exp + 86_400 })
  return [
    refused('a token without a signature', bearer(`${segment({ ...header, alg: 'none' })}.${payload}.`)),
    refused('a token signed by somebody else', bearer(`${head}.${payload}.${foreign}`)),
    refused('a token with another expiry', bearer(`${head}.${later}.${signature}`)),
    refused('a token as an API key', { 'x-api-key': token }),
  ]
}

const MALFORMED: readonly Credential[] = [
  refused('no credential', {}),
  refused('an empty credential', { authorization: '', 'x-api-key': '' }),
  refused('a bearer without a token', { authorization: 'Bearer ' }),
  refused('a token of three dots', bearer('a.b.c')),
  refused('Basic instead of Bearer', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }),
  refused('an API key that nobody has', { 'x-api-key': 'mk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
  refused('the signature of a notice', { 'sandbox-signature': `t=1,v1=${'0'.repeat(64)}` }),
]

/** Old tokens of a client and of a partner that staff have disabled. */
const disabled = async (platform: TestPlatform): Promise<Credential[]> => {
  const clients = await Promise.all([newPartner(platform), newPartner(platform)])
  const [ofClient, ofPartner] = clients
  const tokens = await Promise.all(clients.map((client) => tokenOf(platform, client)))
  dataOf(await platform.staff.patch(`/api/operator/clients/${ofClient.clientId}`, { status: 'disabled' }))
  dataOf(await platform.staff.patch(`/api/operator/partners/${ofPartner.partnerId}`, { status: 'disabled' }))
  const made = tokens.map((token, index) =>
    refused(`a token of a disabled ${index === 0 ? 'client' : 'partner'}`, bearer(token)),
  )
  await eventually(async () => {
    const answers = await Promise.all(
      made.map(({ headers }) =>
        createRawClient({ baseUrl: platform.baseUrl, headers }).get('/api/v1/partner/customers'),
      ),
    )
    return answers.every(({ status }) => status === 401)
  })
  return made
}

/** A revoked API key. */
const revokedKey = async (platform: TestPlatform, { ids }: Tenant): Promise<Credential> => {
  const path = `/api/operator/merchants/${ids.merchant}/api-keys`
  const { api_key: key } = dataOf<{ api_key: string }>(await platform.staff.post(path))
  const merchant = createRawClient({ baseUrl: platform.baseUrl, headers: { 'x-api-key': key } })
  const { apiKeys } = dataOf<{ apiKeys: { keyId: string }[] }>(await merchant.get('/api/user/api-keys'))
  // Oldest first.
  dataOf(await merchant.delete(`/api/user/api-keys/${apiKeys.at(-1)?.keyId ?? ''}`))
  await eventually(async () => (await merchant.get('/api/user/api-keys')).status === 401)
  return refused('a revoked API key', { 'x-api-key': key })
}

/** Staff keys of every role, the one from the settings, and a revoked one. */
const staffKeys = async (platform: TestPlatform): Promise<Credential[]> => {
  const path = '/api/operator/staff-keys'
  const make = async (role: StaffRole) =>
    dataOf<{ staff_key: { staff_key_id: string }; key: string }>(
      await platform.staff.post(path, { name: `The matrix's ${role}`, role }),
    )
  const of = (name: string, key: string, role: StaffRole): Credential => ({
    name,
    headers: bearer(key),
    opens: 'operator',
    scopes: null,
    role,
    is: 'owner',
  })
  const gone = await make('admin')
  dataOf(await platform.staff.delete(`${path}/${gone.staff_key.staff_key_id}`))
  const roles = StaffRole.options
  const keys = await Promise.all(roles.map(make))
  return [
    of('the operator key', platform.operatorKey, 'admin'),
    ...keys.map(({ key }, index) =>
      of(`a staff key: ${String(roles[index])}`, key, roles[index] ?? 'viewer'),
    ),
    refused('a revoked staff key', bearer(gone.key)),
  ]
}

/** An expired token: the platform's clock is moved past its end. To be called first, so that nothing else expires. */
export const expiredToken = async (platform: TestPlatform, client: Client): Promise<Credential> => {
  const credential = refused('a token that has run out', bearer(await tokenOf(platform, client)))
  dataOf(await platform.sandbox.post('/control/clock', { advance_ms: TOKEN_LIFE_MS + 60_000 }))
  const api = createRawClient({ baseUrl: platform.baseUrl, headers: credential.headers })
  await eventually(async () => (await api.get('/api/v1/partner/customers')).status === 401)
  return credential
}

type CredentialSources = Readonly<{
  platform: TestPlatform
  client: Client
  tenant: Tenant
  /** Another partner. */
  otherPartner: Awaited<ReturnType<typeof newPartner>>
  expired: Credential
  /** Sets of scopes that the routes need. */
  needed: readonly (readonly string[])[]
}>

/** Sets of scopes for tokens: all, each alone, all but one, and exactly what each route needs. */
const scopeSets = (needed: CredentialSources['needed']): (readonly string[])[] => {
  const sets = [
    [...SCOPES],
    ...SCOPES.map((scope) => [scope]),
    ...SCOPES.map((scope) => SCOPES.filter((each) => each !== scope)),
    ...needed,
  ]
  return [...new Map(sets.map((set) => [set.toSorted().join(' '), set])).values()]
}

/** Creates one credential of every kind. */
export const createCredentials = async (sources: CredentialSources): Promise<Credential[]> => {
  const { platform, client, tenant, otherPartner } = sources
  const all = await tokenOf(platform, client)
  const key = (name: string, headers: Record<string, string>, opens: Realm, is: Credential['is']) => ({
    name,
    headers,
    opens,
    scopes: null,
    role: null,
    is,
  })
  const partners = await Promise.all(
    scopeSets(sources.needed).map(async (scopes): Promise<Credential> => {
      const token = await tokenOf(platform, client, scopes.join(' '))
      const name =
        scopes.length === SCOPES.length
          ? 'a token with every scope'
          : scopes.length > SCOPES.length / 2
            ? `a token without ${SCOPES.filter((scope) => !scopes.includes(scope)).join(' ')}`
            : `a token with ${scopes.join(' ')}`
      return { name, headers: bearer(token), opens: 'partner', scopes, role: null, is: 'owner' }
    }),
  )
  return [
    ...MALFORMED,
    ...forgeries(all),
    sources.expired,
    ...(await disabled(platform)),
    await revokedKey(platform, tenant),
    ...partners,
    {
      name: 'a token of another partner',
      headers: bearer(await tokenOf(platform, otherPartner)),
      opens: 'partner',
      scopes: SCOPES,
      role: null,
      is: 'other',
    },
    key("the merchant's API key", { 'x-api-key': tenant.merchantKey }, 'merchant', 'owner'),
    key(
      "another merchant's API key",
      { 'x-api-key': await otherPartnersApiKey(platform, otherPartner) },
      'merchant',
      'other',
    ),
    refused('an API key as a bearer', bearer(tenant.merchantKey)),
    ...(await staffKeys(platform)),
    refused('the operator key as an API key', { 'x-api-key': platform.operatorKey }),
  ]
}
