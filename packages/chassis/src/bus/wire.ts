import { Callers, type Caller, type ErrorCode, type ErrorDetail, type Refusal } from '@causeway/contracts'
import { z } from 'zod'
import type { Reply } from '../outcome.ts'

/** The sealed part of a request message: who asks, and the parameters. */
export const RequestMessage = z.object({
  requestId: z.string(),
  caller: z.discriminatedUnion('kind', [
    Callers.partner,
    Callers.merchant,
    Callers.operator,
    Callers.service,
    Callers.public,
  ]),
  idempotencyKey: z.string().optional(),
  /** True if it may be repeated without harm. */
  safe: z.boolean().optional(),
  params: z.unknown().optional(),
  query: z.unknown().optional(),
  body: z.unknown().optional(),
  /** State that must not have changed since a first person requested the action. */
  expected: z.unknown().optional(),
})
export type RequestMessage = Omit<z.infer<typeof RequestMessage>, 'caller'> & { caller: Caller }

type ReplyHead = { variant?: string | undefined; requestId?: string; before?: unknown }

/**
 * A reply's bytes: `+`, a head in JSON or nothing, a line feed, and `data` in JSON, which the gateway relays
 * without parsing it; or `-` and the refusal in JSON.
 */
export const encodeReply = (head: ReplyHead | null, dataJson: string): string =>
  head === null ? `+\n${dataJson}` : `+${JSON.stringify(head)}\n${dataJson}`

export const encodeRefusal = ({ code, details, replay }: Refusal): string =>
  `-${JSON.stringify({ code, details, replayedRequestId: replay?.requestId })}`

export const encodeOutcome = (outcome: Reply<unknown> | Refusal): string => {
  if (!outcome.ok) return encodeRefusal(outcome)
  const { variant, replay, before } = outcome
  if (replay) return encodeReply({ requestId: replay.requestId, variant }, replay.json)
  const bare = variant === undefined && before === undefined
  return encodeReply(bare ? null : { variant, before }, JSON.stringify(outcome.value))
}

/** A reply as it is relayed: its data still bytes. */
export type RelayedReply =
  | { ok: true; data: Uint8Array; variant?: string; replayedRequestId?: string; before?: unknown }
  | { ok: false; code: ErrorCode; details?: readonly ErrorDetail[]; replayedRequestId?: string }

const LINE_FEED = 10
const PLUS = 43
const decoder = new TextDecoder()

export const decodeReply = (bytes: Uint8Array): RelayedReply => {
  if (bytes[0] !== PLUS) {
    const refusal = JSON.parse(decoder.decode(bytes.subarray(1))) as {
      code: ErrorCode
      details?: ErrorDetail[]
      replayedRequestId?: string
    }
    return { ok: false, ...refusal }
  }
  if (bytes[1] === LINE_FEED) return { ok: true, data: bytes.subarray(2) }
  const end = bytes.indexOf(LINE_FEED)
  const head = JSON.parse(decoder.decode(bytes.subarray(1, end))) as ReplyHead
  return {
    ok: true,
    data: bytes.subarray(end + 1),
    ...(head.variant === undefined ? {} : { variant: head.variant }),
    ...(head.requestId === undefined ? {} : { replayedRequestId: head.requestId }),
    ...(head.before === undefined ? {} : { before: head.before }),
  }
}
