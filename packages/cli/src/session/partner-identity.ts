import { AuthenticationError, CausewayError, ConnectionError } from '@causeway/client'

export type PartnerIdentity = Readonly<{ partnerId: string; scopes: readonly string[] }>
type Client = Readonly<{ baseUrl: string; clientId: string; clientSecret: string }>

const TIMEOUT_MS = 15_000

type Issued = { access_token?: string; error?: string; error_description?: string }

/** The claims of a token (decisions §1). They are shown and never trusted, so its signature is not verified. */
const claimsOf = (token: string): PartnerIdentity => {
  const [, payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    partner_id: string
    scope: string
  }
  return { partnerId: claims.partner_id, scopes: claims.scope.split(' ') }
}

/**
 * Asks for a token, and says whose it is.
 * @throws AuthenticationError when the secret is wrong; ConnectionError when no answer came
 */
export const identifyPartner = async ({
  baseUrl,
  clientId,
  clientSecret,
}: Client): Promise<PartnerIdentity> => {
  const path = '/api/oauth/token'
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(baseUrl + path, { method: 'POST', body: form, signal }).catch(
    (cause: unknown) => {
      throw new ConnectionError(`No answer to POST ${path}`, { isSent: true, cause })
    },
  )
  const issued = (await answer.json().catch(() => ({}))) as Issued
  if (issued.access_token !== undefined) return claimsOf(issued.access_token)
  if (answer.status !== 400 && answer.status !== 401)
    throw new CausewayError(`${answer.status}: no token from ${baseUrl}${path}`)
  throw new AuthenticationError({
    status: answer.status,
    code: issued.error ?? 'unexpected_answer',
    message: issued.error_description ?? 'The platform gave no token.',
    details: [],
    requestId: answer.headers.get('x-request-id'),
    retryAfterMs: null,
  })
}
