import { span, type OpenSpan } from '@causeway/chassis'
import { describeFailure } from '../connect-guard/failure.ts'
import type { Answer } from './answer.ts'
import type { Destination } from './destination.ts'

/**
 * Begins the span of one POST, in the trace that caused its event (OpenTelemetry, semantic conventions of HTTP client
 * spans); a retry, hours later perhaps, is in the same trace and says which it is. The path and query are left out:
 * receivers keep secrets there. Null where nothing is traced.
 */
export const startPostSpan = (
  { id, channel, target }: Destination,
  { traceparent, retriesUsed = 0 }: Readonly<{ traceparent?: string | null; retriesUsed?: number }>,
): OpenSpan | null =>
  traceparent
    ? span.start('POST', 'client', traceparent, {
        'http.request.method': 'POST',
        'server.address': target.hostname,
        'server.port': target.port,
        'causeway.destination.id': id,
        'causeway.channel': channel,
        ...(retriesUsed > 0 ? { 'http.request.resend_count': retriesUsed } : {}),
      })
    : null

/** No answer and an answer of 4xx or 5xx are errors. */
export const endPostSpan = (posting: OpenSpan, answer: Answer): void => {
  const { statusCode } = answer
  if (statusCode === null) posting.end({ 'error.type': describeFailure(answer.failure) }, true)
  else posting.end({ 'http.response.status_code': statusCode }, statusCode >= 400)
}
