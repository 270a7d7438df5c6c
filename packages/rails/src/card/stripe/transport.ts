import type { Stripe } from 'stripe'
import type { HttpAnswer, HttpExchange } from '../../http/exchange.ts'
import { RailError } from '../../rail-error.ts'

type Client = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>
type Answer = Awaited<ReturnType<Client['makeRequest']>>
type AnswerHeaders = ReturnType<Answer['getHeaders']>

const asHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      // undici computes the length itself and refuses a second header.
      .filter(([name, value]) => value !== undefined && name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name, String(value)]),
  )

const parse = ({ status, text }: HttpAnswer): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new RailError(status >= 500 ? 'unavailable' : 'malformed', `answered ${status} without JSON`, {
      cause: error,
    })
  }
}

const asAnswer = (answer: HttpAnswer): Answer => {
  // The body is read here: when reading fails later, the SDK reports the error without its cause.
  const body = parse(answer)
  return {
    getStatusCode: () => answer.status,
    getHeaders: () => answer.headers as AnswerHeaders,
    getRawResponse: () => ({}),
    toStream: () => {
      throw new Error('Stream responses are not supported')
    },
    toJSON: () => Promise.resolve(body),
  }
}

/**
 * Sends the SDK's requests with the platform's bounds. The SDK's own client has no absolute deadline. The SDK also
 * repeats a request after a connection reset, which would hide what the first one did; it recognises a reset by the
 * error's code, which a RailError does not have.
 */
export const createStripeTransport = (http: HttpExchange): Client => ({
  getClientName: () => 'platform',
  makeRequest: async (host, port, path, method, headers, body, protocol) =>
    asAnswer(
      await http.send({
        method: method as 'GET' | 'POST' | 'DELETE',
        url: `${protocol}://${host}:${port}${path}`,
        headers: asHeaders(headers),
        body: method === 'GET' ? undefined : body,
      }),
    ),
})
