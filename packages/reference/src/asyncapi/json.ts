/** An object of the document. */
export type Json = Readonly<Record<string, unknown>>

/** A header that every message may carry. */
export const TRACEPARENT: Json = {
  type: 'string',
  description: 'W3C trace context, if the request is traced',
}
