import type { HmacKey } from '@causeway/chassis'
import type { Target } from '../connect-guard/target.ts'
import { signatureOf } from './signature.ts'

/** What one attempt sends. */
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

/** What all requests to one destination have in common (spec: Delivery and signing), made once a revision. */
export class RequestTemplate {
  readonly #key: HmacKey
  readonly #nextKey: HmacKey | null
  readonly #kept: string
  readonly #last: string

  /**
   * @param id the destination's, sent as `x-webhook-id`
   * @param nextKey during the overlap of a rotation the new secret's, which signs `x-signature-next`
   */
  constructor({
    id,
    key,
    nextKey = null,
    target,
  }: Readonly<{ id: string; key: HmacKey; nextKey?: HmacKey | null; target: Target }>) {
    const headOf = (connection: string) =>
      [
        `POST ${target.path} HTTP/1.1`,
        `host: ${target.origin.slice(target.protocol.length + '//'.length)}`,
        `connection: ${connection}`,
        'content-type: application/json',
        'user-agent: Causeway-Webhooks/1',
        `x-webhook-id: ${id}`,
        'x-timestamp: ',
      ].join('\r\n')
    this.#key = key
    this.#nextKey = nextKey
    this.#kept = headOf('keep-alive')
    this.#last = headOf('close')
  }

  /**
   * One signed request, head and body in one buffer, so that it goes out in one write.
   * @param isLast whether the connection is closed after it
   */
  build({ body, atMs, eventId }: Outgoing, isLast: boolean): Buffer {
    const timestamp = String(Math.floor(atMs / 1000))
    const signature = signatureOf(this.#key, timestamp, body)
    const next =
      this.#nextKey === null ? '' : `\r\nx-signature-next: ${signatureOf(this.#nextKey, timestamp, body)}`
    const head = `${isLast ? this.#last : this.#kept}${timestamp}\r\nx-signature: ${signature}${next}\r\nx-webhook-event-id: ${eventId}\r\ncontent-length: ${body.length}\r\n\r\n`
    const bytes = Buffer.allocUnsafe(head.length + body.length)
    bytes.write(head, 'latin1')
    bytes.set(body, head.length)
    return bytes
  }
}
