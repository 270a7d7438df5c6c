/** An error as Banxa answers it (API reference: Errors): `status` is its own code, `code` that of HTTP. */
export class BanxaAnswer extends Error {
  readonly httpStatus: number
  readonly code: string

  constructor(httpStatus: number, code: string, title: string) {
    super(title)
    this.httpStatus = httpStatus
    this.code = code
  }

  toBody(): string {
    return JSON.stringify({
      errors: [{ status: this.code, code: String(this.httpStatus), title: this.message }],
    })
  }
}

export const invalid = (field: string): BanxaAnswer =>
  new BanxaAnswer(422, '4002', `Validation error: ${field}`)
