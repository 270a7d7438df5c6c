import type { PresentedCredentials } from '@causeway/contracts'
import { validateJson } from '../http/strict-json.ts'
import { JWT_BEARER, type OAuthErrorReply } from '@causeway/contracts/http'

/** Error codes of the token and the revocation endpoint (RFC 6749 §5.2). */
export type OAuthError = Readonly<{
  ok: false
  error: Exclude<OAuthErrorReply['error'], 'temporarily_unavailable'>
  description: string
}>

const PARAMETERS = [
  'grant_type',
  'scope',
  'token',
  'client_id',
  'client_secret',
  'client_assertion_type',
  'client_assertion',
] as const
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>

/** A well-formed request of a client, with its credentials. */
export type ClientRequest = Readonly<{ ok: true; parameters: Parameters; credentials: PresentedCredentials }>

export const oauthError = (error: OAuthError['error'], description: string): OAuthError => ({
  ok: false,
  error,
  description,
})

const badRequest = (description: string) => oauthError('invalid_request', description)

const isFault = (value: Parameters | OAuthError): value is OAuthError => 'error' in value

/** Form parameters. A repeated one is an error; one without a value counts as omitted (RFC 6749 §3.2). */
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
  const json = validateJson(bytes)
  if (!json.ok) return badRequest('The body is not valid JSON.')
  const body: unknown = JSON.parse(json.text)
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

/** Decodes the form encoding that both parts of Basic credentials have (RFC 6749 §2.3.1). */
const formDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

const parseBasic = (header: string): PresentedCredentials | null => {
  const encoded = /^Basic +([\w+/-]+=*)$/i.exec(header)?.[1]
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon === -1) return null
  const clientId = formDecode(decoded.slice(0, colon))
  const clientSecret = formDecode(decoded.slice(colon + 1))
  return clientId === null || clientSecret === null ? null : { method: 'secret', clientId, clientSecret }
}

const assertionOf = (
  parameters: Parameters,
  header: string | undefined,
): PresentedCredentials | OAuthError => {
  const { client_id: clientId = null, client_assertion: assertion, client_assertion_type: type } = parameters
  if (header !== undefined || parameters.client_secret !== undefined)
    return badRequest('The client authenticates both by an assertion and by a secret.')
  if (assertion === undefined || type === undefined)
    return badRequest('client_assertion and client_assertion_type go together.')
  if (type !== JWT_BEARER)
    return oauthError('invalid_client', `The only client_assertion_type is ${JWT_BEARER}.`)
  return { method: 'assertion', clientId, assertion }
}

const credentialsOf = (
  parameters: Parameters,
  header: string | undefined,
): PresentedCredentials | OAuthError => {
  const { client_id: clientId, client_secret: clientSecret } = parameters
  if (parameters.client_assertion !== undefined || parameters.client_assertion_type !== undefined)
    return assertionOf(parameters, header)
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
  return { method: 'secret', clientId, clientSecret }
}

type ClientRequestHeaders = Readonly<{ contentType: string | undefined; authorization: string | undefined }>

/**
 * Parses a client's request at the token or the revocation endpoint (RFC 6749 §2.3). Unknown parameters are ignored.
 * @param required the parameter that must be present
 */
export const parseClientRequest = (
  headers: ClientRequestHeaders,
  bytes: Buffer | null,
  required: 'grant_type' | 'token',
): ClientRequest | OAuthError => {
  const parameters = parseBody(headers.contentType, bytes)
  if (isFault(parameters)) return parameters
  if (parameters[required] === undefined) return badRequest(`The parameter ${required} is missing.`)
  const credentials = credentialsOf(parameters, headers.authorization)
  return 'error' in credentials ? credentials : { ok: true, parameters, credentials }
}

/** Refuses every grant except `client_credentials` (RFC 6749 §4.4.2; decisions §2). */
export const grantFault = ({ parameters }: ClientRequest): OAuthError | null =>
  parameters.grant_type === 'client_credentials'
    ? null
    : oauthError('unsupported_grant_type', 'Only the client_credentials grant is supported.')
