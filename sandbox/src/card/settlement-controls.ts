import { minorUnitDecimals } from '@causeway/contracts'
import { writeSettlementCsv } from '@causeway/rails/settlements'
import { Router } from 'express'
import { z } from 'zod'
import { parseRequest } from '../http/answers.ts'
import { traitsOf } from './routes.ts'
import { SETTLEMENT_FAULTS } from './settlement-rules.ts'
import type { Settlements } from './settlements.ts'

const MAX_FAULTS = 100
const Currency = z.string().refine((code) => minorUnitDecimals(code) !== null, 'must be an ISO 4217 code')
const Rate = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/)
const Processor = z.string().default('processor')
const SettleRequest = z.strictObject({
  processor: Processor,
  faults: z
    .array(
      z.strictObject({
        kind: z.enum(SETTLEMENT_FAULTS),
        order_key: z.string().min(1).max(100).optional(),
      }),
    )
    .max(MAX_FAULTS)
    .default([]),
  settle_in: z
    .strictObject({ currency: Currency, rates: z.record(Currency, Rate) })
    .nullable()
    .default(null),
})
const ReportQuery = z.strictObject({ processor: Processor })

/** Control endpoints of the processors' settlements (decisions §51). */
export const settlementControls = (settlements: Settlements): Router => {
  const routes = Router()

  routes.post('/card/settle', (request, response) => {
    const { processor, faults, settle_in: account } = parseRequest(SettleRequest, request.body ?? {})
    const { key } = traitsOf(processor)
    const settled = settlements.close(
      key,
      faults.map(({ kind, order_key: orderKey = null }) => ({ kind, orderKey })),
      account,
    )
    response.status(201).json({
      processor: key,
      lines: settled.lines,
      payouts: settled.payouts.map(({ payoutRef, currency, amountCents, bankLineId }) => ({
        payout_ref: payoutRef,
        currency,
        amount_cents: amountCents,
        bank_line_id: bankLineId,
      })),
    })
  })

  routes.get('/card/settlement-report', (request, response) => {
    const { key } = traitsOf(parseRequest(ReportQuery, request.query).processor)
    const lines = settlements.page(key, 0, Number.MAX_SAFE_INTEGER)
    response.type('text/csv').send(writeSettlementCsv(lines))
  })

  return routes
}
