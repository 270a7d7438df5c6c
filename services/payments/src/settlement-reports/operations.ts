import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { settlementReports, type ReportLine } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { SettlementLine, SettlementReport } from '@causeway/rails/settlements'
import { findOrders } from './store.ts'

const present = (line: SettlementLine): ReportLine => ({
  line_id: line.lineId,
  kind: line.kind,
  processor_order_id: line.processorOrderId,
  gross_cents: line.grossCents,
  fee_cents: line.feeCents,
  net_cents: line.netCents,
  currency: line.currency,
  original: line.original,
  available_on: line.availableOn,
  payout_ref: line.payoutRef,
})

/** `payments.settlement-reports` (ADR 0088). @param reports of the processors that this deployment has accounts with */
export const settlementReportOperations = (
  db: Db,
  reports: ReadonlyMap<string, SettlementReport>,
): Implementation[] =>
  implement(settlementReports, {
    list: () => Promise.resolve(reply({ processors: [...reports.keys()] })),

    async read({ body: { processor, position } }) {
      const report = reports.get(processor)
      if (report === undefined) return refuse('resource_not_found')
      try {
        const page = await report.read(position)
        return reply({ lines: page.lines.map(present), position: page.position, is_last: page.isLast })
      } catch (error) {
        if (!(error instanceof RailError)) throw error
        return refuse(error.retryable ? 'temporarily_unavailable' : 'provider_error')
      }
    },

    async findOrders({ body: { processor, processor_order_ids: processorOrderIds } }) {
      const rows = await findOrders(db, { processor, processorOrderIds })
      return reply({
        orders: rows.map(({ processorOrderId, orderKey }) => ({
          processor_order_id: processorOrderId,
          order_key: orderKey,
        })),
      })
    },
  })
