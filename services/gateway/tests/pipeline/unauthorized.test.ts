import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { KNOWN_MERCHANT } from '../fixtures/script.ts'
import { newPartner, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'

const PARTNER = '/api/v1/partner/customers'
const MERCHANT = '/api/user/webhooks'
const OPERATOR = '/api/operator/partners'
const TOKEN_MS = 900_000

type Given = Readonly<{ path: string; headers: Record<string, string> }>
type Credentials = Readonly<
  Record<'token' | 'revokedToken' | 'apiKey' | 'revokedKey' | 'revokedStaffKey', string>
>

let fixture: Fixture
let gateway: Replica
let issued: Credentials & Readonly<{ secret: string }>

const revokedTokenOf = async (): Promise<string> => {
  const { client, token } = await newPartner(gateway)
  await gateway.operate('PATCH', `/clients/${client.client_id}`, { status: 'disabled' })
  return token
}

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  const { token, client } = await newPartner(gateway)
  const keys = `/merchants/${KNOWN_MERCHANT}/api-keys`
  const [apiKey, revokedKey] = [await gateway.operate('POST', keys), await gateway.operate('POST', keys)]
  const [, second] = (await gateway.operate('GET', keys)).data.api_keys
  await gateway.operate('DELETE', `${keys}/${second?.key_id}`)
  const staff = await gateway.operate('POST', '/staff-keys', { name: 'ada', role: 'viewer' })
  await gateway.operate('DELETE', `/staff-keys/${staff.data.staff_key.staff_key_id}`)
  issued = {
    token,
    secret: client.client_secret,
    revokedToken: await revokedTokenOf(),
    apiKey: apiKey.data.api_key,
    revokedKey: revokedKey.data.api_key,
    revokedStaffKey: staff.data.key,
  }
})
afterAll(() => fixture.close())

const bearer = (path: string, credential: string): Given => ({
  path,
  headers: { authorization: `Bearer ${credential}` },
})
const key = (path: string, credential: string): Given => ({ path, headers: { 'x-api-key': credential } })
const answerTo = async ({ path, headers }: Given) => {
  const { status, details, json } = await gateway.call('GET', path, { headers })
  const { error } = json as unknown as { error: { message: string } }
  return { status, details, message: error.message }
}
const otherLast = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`

test.each<[string, string, RegExp, () => Given]>([
  [
    'no credential',
    'missing',
    /Send the header Authorization: Bearer <access token>/,
    () => ({ path: PARTNER, headers: {} }),
  ],
  ['no API key', 'missing', /Send the header x-api-key: <API key>/, () => ({ path: MERCHANT, headers: {} })],
  ['no staff key', 'missing', /Authorization: Bearer <staff key>/, () => ({ path: OPERATOR, headers: {} })],
  [
    'no scheme',
    'malformed',
    /The header is malformed/,
    () => ({ path: PARTNER, headers: { authorization: 'x' } }),
  ],
  ['an API key of another form', 'malformed', /x-api-key: <API key>/, () => key(MERCHANT, 'mk_short')],
  ['a token that nobody signed', 'invalid', /Send an access token/, () => bearer(PARTNER, 'a.b.c')],
  [
    'a token with a changed signature',
    'invalid',
    /Send an access token/,
    () => bearer(PARTNER, otherLast(issued.token.slice(0, -1))),
  ],
  ['an unknown API key', 'invalid', /Send a merchant’s API key/, () => key(MERCHANT, `mk_${'x'.repeat(43)}`)],
  ['an unknown staff key', 'invalid', /Send a staff key/, () => bearer(OPERATOR, `staff_${'x'.repeat(43)}`)],
  [
    'a token of a disabled client',
    'revoked',
    /was revoked.*POST \/api\/oauth\/token/,
    () => bearer(PARTNER, issued.revokedToken),
  ],
  ['a revoked API key', 'revoked', /was revoked/, () => key(MERCHANT, issued.revokedKey)],
  ['a revoked staff key', 'revoked', /was revoked/, () => bearer(OPERATOR, issued.revokedStaffKey)],
  [
    'a staff key as token',
    'wrong_kind',
    /This is a staff key. Send an access token/,
    () => bearer(PARTNER, `staff_${'x'.repeat(43)}`),
  ],
  ['a client secret as token', 'wrong_kind', /This is a client secret/, () => bearer(PARTNER, issued.secret)],
  [
    'an API key in a partner’s path',
    'wrong_kind',
    /This is a merchant’s API key/,
    () => key(PARTNER, issued.apiKey),
  ],
  [
    'a token as API key',
    'wrong_kind',
    /Send a merchant’s API key: x-api-key/,
    () => bearer(MERCHANT, issued.token),
  ],
  [
    'a token as staff key',
    'wrong_kind',
    /This is an access token. Send a staff key/,
    () => bearer(OPERATOR, issued.token),
  ],
])('answers 401 to %s with the reason %s and says what to send', async (_, reason, message, given) => {
  const answer = await answerTo(given())
  expect([answer.status, answer.details]).toEqual([401, [{ reason }]])
  expect(answer.message).toMatch(message)
})

test('says that a token has expired only if its signature is valid', async () => {
  fixture.clock.advance(TOKEN_MS + 1_000)
  expect((await answerTo(bearer(PARTNER, issued.token))).details).toEqual([{ reason: 'expired' }])
  const forged = otherLast(issued.token.slice(0, -1))
  expect((await answerTo(bearer(PARTNER, forged))).details).toEqual([{ reason: 'invalid' }])
})

test('answers an unknown key and a key with one wrong character alike', async () => {
  const answers = await Promise.all(
    [`mk_${'x'.repeat(43)}`, otherLast(issued.apiKey), otherLast(issued.revokedKey)].map((each) =>
      answerTo(key(MERCHANT, each)),
    ),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
})
