import { createCaller, type Caller } from './call.ts'
import { bearerToken, fixedHeader, type IssuedToken } from './credentials.ts'
import {
  MERCHANT_OPERATIONS,
  MERCHANT_PREFIX,
  PARTNER_OPERATIONS,
  PARTNER_PREFIX,
} from './generated/operations.ts'
import { followFeed } from './follow.ts'
import { methodsOf } from './methods.ts'
import type { OperationRow } from './operation-row.ts'
import { DEFAULTS, type ClientOptions } from './options.ts'
import type { CallOptions, FollowInput, MerchantClient, PartnerClient } from './types.ts'
import { unlessAborted } from './waiting.ts'

const TOKEN_PATH = '/api/oauth/token'

type ClientCredentials = Readonly<{
  clientId: string
  clientSecret: string
  /** The scopes that a token should have, separated by blanks; all that the client has if left out. */
  scope?: string | undefined
}>

/** Client credentials, or where those may not be, such as in a browser, a function that gets a token elsewhere. */
export type PartnerCredentials = ClientCredentials | Readonly<{ token: () => Promise<string> }>

/** Asks for a token (RFC 6749 §4.4); repeating that does no harm. */
const issueToken = async (call: Caller, credentials: ClientCredentials): Promise<IssuedToken> => {
  const { clientId, clientSecret, scope } = credentials
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  form.set('client_id', clientId)
  form.set('client_secret', clientSecret)
  if (scope !== undefined) form.set('scope', scope)
  const { json } = await call({
    operation: 'issueToken',
    method: 'POST',
    template: TOKEN_PATH,
    path: TOKEN_PATH,
    headers: { accept: 'application/json' },
    body: () => ({ init: { body: form.toString() }, contentType: 'application/x-www-form-urlencoded' }),
    timeoutMs: DEFAULTS.timeoutMs,
    signal: undefined,
    isRepeatable: true,
    isResendable: true,
    credential: null,
  })
  const token = json as { access_token: string; expires_in: number; scope?: string }
  // Left out where it is what was asked for (RFC 6749 §5.1).
  const scopes = (token.scope ?? scope ?? '').split(' ').filter(Boolean)
  return { accessToken: token.access_token, expiresInMs: token.expires_in * 1_000, scopes }
}

/** A token that somebody else keeps is asked for at each call, and once more after a 401. */
const foreignToken = (token: () => Promise<string>) => ({
  headers: async (signal: AbortSignal | undefined) => ({
    authorization: `Bearer ${await unlessAborted(token(), signal)}`,
  }),
  renew: () => true,
  scopes: () => Promise.resolve(null),
})

/** A client of the partner API: each operation of the OpenAPI document is a function of its `operationId`. */
export const createPartnerClient = (options: ClientOptions & PartnerCredentials): PartnerClient => {
  const call = createCaller(options)
  const credential =
    'token' in options ? foreignToken(options.token) : bearerToken(() => issueToken(call, options))
  const scopes = ({ signal }: Pick<CallOptions, 'signal'> = {}) => credential.scopes(signal)
  const binding = { call, credential, options, prefix: PARTNER_PREFIX }
  const methods = methodsOf(binding, PARTNER_OPERATIONS) as Omit<PartnerClient, 'scopes' | 'followEvents'>
  const followEvents = (input: FollowInput = {}, given: CallOptions = {}) =>
    followFeed(methods.listFeedEvents, input, given)
  return { ...methods, scopes, followEvents }
}

/** A client of the merchant API. */
export const createMerchantClient = (
  options: ClientOptions & Readonly<{ apiKey: string }>,
): MerchantClient => {
  const binding = {
    call: createCaller(options),
    credential: fixedHeader('x-api-key', options.apiKey),
    options,
    prefix: MERCHANT_PREFIX,
  }
  return methodsOf(binding, MERCHANT_OPERATIONS) as MerchantClient
}

/**
 * Functions for operations that are in no table of this package, such as those of staff.
 * @param header what proves who calls
 * @returns what {@link Method} describes, for each row
 */
export const createClientOf = (
  { header: [name, value], ...options }: ClientOptions & Readonly<{ header: readonly [string, string] }>,
  operations: Readonly<Record<string, OperationRow>>,
): unknown =>
  methodsOf(
    { call: createCaller(options), credential: fixedHeader(name, value), options, prefix: '' },
    operations,
  )
