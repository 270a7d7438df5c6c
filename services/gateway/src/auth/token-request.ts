import { judgeJson } from '../http/strict-json.ts'

/** Error codes of the token endpoint (RFC 6749 §5.2). */
export type OAuthError = Readonly<{
  ok: false
  error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'
  description: string
}>

/** A well-formed request for a token. */
export type TokenRequest = Readonly<{
  ok: true
  clientId: string
  clientSecret: string
  scope: string | null
}>

const PARAMETERS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>

export const oauthError = (error: OAuthError['error'], description: string): OAuthError => ({
  ok: false,
  error,
  description,
})

const badRequest = (description: string) => oauthError('invalid_request', description)

const isFault = (value: Parameters | OAuthError): value is OAuthError => 'error' in value

/** Form parameters; one that is given twice refuses the request, one without a value counts as omitted (RFC 6749 §3.2). */
const parseForm = (bytes: Buffer): Parameters | OAuthError => {
  const form = new URLSearchParams(bytes.toString('utf8'))
  const parameters: Parameters = {}
  for (const name of PARAMETERS) {
    const values = form.getAll(name)
    if (values.length > 1) return badRequest(`The parameter ${name} is given more than once.`)
    const [value] = values
    if (value !== undefined && value !== '') parameters[name] = value
  }
  return parameters
}

const parseJson = (bytes: Buffer): Parameters | OAuthError => {
  const verdict = judgeJson(bytes)
  if (!verdict.ok) return badRequest('The body is not valid JSON.')
  const body: unknown = JSON.parse(verdict.text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return badRequest('The body is no JSON object.')
  const parameters: Parameters = {}
  for (const name of PARAMETERS) {
    const value = (body as Record<string, unknown>)[name]
    if (value === undefined || value === '') continue
    if (typeof value !== 'string') return badRequest(`The parameter ${name} is not a string.`)
    parameters[name] = value
  }
  return parameters
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;.*)?$/i
const JSON_TYPE = /^application\/json\s*(;.*)?$/i

const parseBody = (contentType: string | undefined, bytes: Buffer | null): Parameters | OAuthError => {
  if (bytes === null) return badRequest('The request has no body.')
  if (FORM_TYPE.test(contentType ?? '')) return parseForm(bytes)
  if (JSON_TYPE.test(contentType ?? '')) return parseJson(bytes)
  return badRequest('The content type is neither application/x-www-form-urlencoded nor application/json.')
}

/** Reverses the form encoding that RFC 6749 §2.3.1 asks of both halves of Basic credentials. */
const formDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

type Credentials = Readonly<{ clientId: string; clientSecret: string }>

const parseBasic = (header: string): Credentials | null => {
  const encoded = /^Basic +([\w+/-]+=*)$/i.exec(header)?.[1]
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon === -1) return null
  const clientId = formDecode(decoded.slice(0, colon))
  const clientSecret = formDecode(decoded.slice(colon + 1))
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret }
}

const credentialsOf = (parameters: Parameters, header: string | undefined): Credentials | OAuthError => {
  const { client_id: clientId, client_secret: clientSecret } = parameters
  if (header !== undefined) {
    if (clientId !== undefined || clientSecret !== undefined)
      return badRequest('The client authenticates both by header and in the body.')
    return (
      parseBasic(header) ??
      oauthError('invalid_client', 'The Authorization header is not valid Basic credentials.')
    )
  }
  if (clientId === undefined || clientSecret === undefined)
    return oauthError('invalid_client', 'The request carries no client credentials.')
  return { clientId, clientSecret }
}

/** Reads a request of the client credentials grant (RFC 6749 §4.4.2; decisions §2). Unknown parameters are ignored. */
export const parseTokenRequest = (
  headers: Readonly<{ contentType: string | undefined; authorization: string | undefined }>,
  bytes: Buffer | null,
): TokenRequest | OAuthError => {
  const parameters = parseBody(headers.contentType, bytes)
  if (isFault(parameters)) return parameters
  if (parameters.grant_type === undefined) return badRequest('The parameter grant_type is missing.')
  const credentials = credentialsOf(parameters, headers.authorization)
  if ('error' in credentials) return credentials
  if (parameters.grant_type !== 'client_credentials')
    return oauthError('unsupported_grant_type', 'Only the client_credentials grant is supported.')
  return { ok: true, ...credentials, scope: parameters.scope ?? null }
}
