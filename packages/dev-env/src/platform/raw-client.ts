/** A response of the platform, its body parsed as JSON. */
export type Answer = { status: number; headers: Headers; body: AnswerBody }

/** The success envelope, the error envelope, or the token endpoint's own shape. */
export type AnswerBody = Record<string, unknown> & {
  data?: never
  error?: { code: string; message: string; request_id: string; details?: Record<string, unknown>[] }
}

/** A request, for a listener that prints it. */
export type Asked = { method: string; path: string; body: unknown }

type ClientOptions = {
  baseUrl: string
  /** Headers of every request, such as `authorization`. */
  headers?: Record<string, string>
  onAnswer?: (asked: Asked, answer: Answer) => void
}

/** Ends what hangs, and measures nothing: the platform bounds its answers itself. */
const REQUEST_TIMEOUT_MS = 120_000

/**
 * JSON over HTTP as it goes over the wire, for what `@causeway/client` has no function for, such as staff and the sandbox's
 * control endpoints, and for tests of statuses, headers and bodies. It refreshes, repeats and throws nothing.
 */
export const createRawClient = (options: ClientOptions) => {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${options.baseUrl}${path}`, {
      method,
      headers: {
        ...options.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as AnswerBody,
    }
    options.onAnswer?.({ method, path, body }, answer)
    return answer
  }
  return {
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      send('POST', path, body, headers),
    put: (path: string, body?: unknown) => send('PUT', path, body),
    patch: (path: string, body?: unknown) => send('PATCH', path, body),
    delete: (path: string) => send('DELETE', path),
  }
}

export type RawClient = ReturnType<typeof createRawClient>

/** The `data` of a successful response, typed by the caller. @throws when the response is an error */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape it expects
export const dataOf = <T>(answer: Answer): T => {
  if (answer.status >= 300) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.data as T
}

/** Gets an access token by the client credentials grant and gives a client that carries it. */
export const signIn = async (
  options: ClientOptions & { clientId: string; clientSecret: string; scope?: string },
): Promise<RawClient> => {
  const answer = await createRawClient({ ...options, headers: {} }).post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: options.clientId,
    client_secret: options.clientSecret,
    ...(options.scope === undefined ? {} : { scope: options.scope }),
  })
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${JSON.stringify(answer.body)}`)
  return createRawClient({
    ...options,
    headers: { ...options.headers, authorization: `Bearer ${String(answer.body['access_token'])}` },
  })
}
