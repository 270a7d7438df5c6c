/** An error as Stripe answers it (API reference: Errors). */
export class StripeAnswer extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined

  constructor(status: number, type: string, message: string, more: { code?: string; param?: string } = {}) {
    super(message)
    this.status = status
    this.type = type
    this.code = more.code
    this.param = more.param
  }

  toBody(): string {
    const { type, message, code, param } = this
    return JSON.stringify({ error: { type, message, code, param } })
  }
}

export const invalid = (message: string, more: { code?: string; param?: string } = {}): StripeAnswer =>
  new StripeAnswer(400, 'invalid_request_error', message, more)

export const missing = (kind: string, id: string): StripeAnswer =>
  new StripeAnswer(404, 'invalid_request_error', `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param: 'id',
  })
