import type { HmacKey } from '@causeway/chassis'
import { signatureOf } from './signature.ts'

/** Request of one attempt. */
export type Outgoing = Readonly<{
  template: RequestTemplate
  /** Sent as `x-webhook-event-id`. */
  eventId: string
  /** The exact bytes that are sent. */
  body: Buffer
  /** When the attempt is made, by the receiver's clock. */
  atMs: number
  timeoutMs: number
}>

/** The headers of all requests to one destination (spec: Delivery and signing), made once a revision. */
export class RequestTemplate {
  readonly #key: HmacKey
  readonly #nextKey: HmacKey | null
  readonly #common: readonly string[]

  /**
   * @param id the destination's, sent as `x-webhook-id`
   * @param nextKey during the overlap of a rotation the new secret's, which signs `x-signature-next`
   */
  constructor({ id, key, nextKey = null }: Readonly<{ id: string; key: HmacKey; nextKey?: HmacKey | null }>) {
    this.#key = key
    this.#nextKey = nextKey
    this.#common = [
      'content-type',
      'application/json',
      'user-agent',
      'Causeway-Webhooks/1',
      'x-webhook-id',
      id,
    ]
  }

  /** Names and values of one signed request. */
  headers({ body, atMs, eventId }: Pick<Outgoing, 'body' | 'atMs' | 'eventId'>): string[] {
    const timestamp = String(Math.floor(atMs / 1000))
    const headers = [
      ...this.#common,
      'x-timestamp',
      timestamp,
      'x-signature',
      signatureOf(this.#key, timestamp, body),
    ]
    if (this.#nextKey !== null) headers.push('x-signature-next', signatureOf(this.#nextKey, timestamp, body))
    headers.push('x-webhook-event-id', eventId)
    return headers
  }
}
