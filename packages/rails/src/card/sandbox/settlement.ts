import { z } from 'zod'
import { createJsonClient, readAnswer } from '../../http/json-client.ts'
import { OutsideId } from '../../outside-text.ts'
import { SETTLEMENT_KINDS, type SettlementLine, type SettlementReport } from '../../settlement/line.ts'
import type { SandboxCardOptions } from './adapter.ts'

const Currency = z.string().regex(/^[A-Z]{3}$/)
const LineAnswer = z
  .object({
    line_id: OutsideId,
    kind: z.enum(SETTLEMENT_KINDS),
    payment_id: OutsideId.nullable(),
    gross_cents: z.int(),
    fee_cents: z.int(),
    net_cents: z.int(),
    currency: Currency,
    original: z
      .object({ cents: z.int(), currency: Currency, rate: z.string().nullable() })
      .nullable()
      .default(null),
    available_on: z.iso.date(),
    payout_ref: OutsideId.nullable(),
  })
  .transform((line): SettlementLine => ({
    lineId: line.line_id,
    kind: line.kind,
    processorOrderId: line.payment_id,
    grossCents: line.gross_cents,
    feeCents: line.fee_cents,
    netCents: line.net_cents,
    currency: line.currency,
    original: line.original,
    availableOn: line.available_on,
    payoutRef: line.payout_ref,
  }))
const PageAnswer = z.object({ lines: z.array(LineAnswer), position: OutsideId, is_last: z.boolean() })

const MAX_ANSWER_BYTES = 1_048_576

/** The settlement report of one of the sandbox's processors, over HTTP. A position is the number of a line. */
export const createSandboxSettlement = (
  processor: string,
  options: Omit<SandboxCardOptions, 'secret'>,
): SettlementReport => {
  const client = createJsonClient({ ...options, maxBodyBytes: MAX_ANSWER_BYTES })
  return {
    processor,
    read: async (position) => {
      const query = position === null ? {} : { after: position }
      const path = `/cards/${processor}/settlement-lines`
      const page = readAnswer(await client.send({ method: 'GET', path, query }), PageAnswer)
      return { lines: page.lines, position: page.position, isLast: page.is_last }
    },
    close: () => client.close(),
  }
}
