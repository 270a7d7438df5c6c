import type { ServiceContext } from '@causeway/chassis'
import { openCardProcessors } from '@causeway/rails/cards'
import { openSettlementReports } from '@causeway/rails/settlements'
import { startNoticePurge } from './card-notices/jobs/purge-notices.ts'
import { cardNoticeOperations } from './card-notices/operations.ts'
import { startPaymentPoller } from './card-settlement/jobs/payment-poller.ts'
import { createCardSettlement } from './card-settlement/settlement.ts'
import { chargebackCaseOperations } from './chargeback-cases/operations.ts'
import { chargebackOperations } from './chargebacks/operations.ts'
import type { Onboarding } from './clients/onboarding.ts'
import type { PaymentsConfig } from './config.ts'
import { startThresholdCheck } from './disputes/jobs/threshold-check.ts'
import { createMerchantNames } from './fiat-orders/merchant-names.ts'
import { fiatOrderOperations } from './fiat-orders/operations.ts'
import { integrationOperations } from './integrations/operations.ts'
import type { OrderNumbers } from './order-numbers/order-numbers.ts'
import { orderOperations } from './orders/operations.ts'
import { pricePreviewOperations } from './price-previews/operations.ts'
import { refundableOrderOperations } from './refundable-orders/operations.ts'
import type { Relationships } from './relationships/relationships.ts'
import { settlementReportOperations } from './settlement-reports/operations.ts'

/** Below the deadline of a request on the bus. */
const CARD_TIMEOUT_MS = 3_500

/** Below the time that the ledger waits for a page. */
const REPORT_TIMEOUT_MS = 4_000

/** The card half of payments: its operations, and the jobs that read processors and check merchants' disputes. */
export const startCardPayments = async (
  context: ServiceContext,
  config: PaymentsConfig,
  owners: Readonly<{ relationships: Relationships; onboarding: Onboarding; numbers: OrderNumbers }>,
) => {
  const { relationships, onboarding, numbers } = owners
  const { publicBaseUrl, riskRules, cardPollAfterMs: pollAfterMs, cardReviewAfterMs: reviewAfterMs } = config
  const timeoutMs = CARD_TIMEOUT_MS * context.timeoutFactor
  const processors = await openCardProcessors({ ...config.cards, timeoutMs })
  const reports = await openSettlementReports({
    ...config.cards,
    timeoutMs: REPORT_TIMEOUT_MS * context.timeoutFactor,
  })
  const labels = new Map([...processors].map(([key, { traits }]) => [key, traits.pspLabel]))
  const settlement = createCardSettlement(context, {
    processors,
    publicBaseUrl,
    reviewAfterMs,
    availableAfterMs: config.cardAvailableAfterMs,
    riskRules,
  })
  const poller = startPaymentPoller(context, {
    processors,
    settlement,
    pollAfterMs,
    reviewAfterMs,
    reviewForMs: config.cardReviewForMs,
  })
  const noticePurge = startNoticePurge(context)
  const thresholdCheck = startThresholdCheck(context, config.disputeThreshold)
  const fiat = fiatOrderOperations(context, {
    relationships,
    numbers,
    processors,
    connections: config.cards.connections,
    processorTimeoutMs: timeoutMs,
    merchantNames: createMerchantNames(context, onboarding),
    serviceFeePercent: config.serviceFeePercent,
    pollAfterMs,
    publicBaseUrl,
  })
  return {
    applyCardMoney: settlement.applyMoney,
    operations: [
      ...integrationOperations(context, { relationships, processors: labels }),
      ...fiat,
      ...orderOperations(context, { processors }),
      ...pricePreviewOperations(context, { processors }),
      ...cardNoticeOperations(context, { processors, settlement }),
      ...chargebackOperations(context, { relationships, processors, settlement }),
      ...chargebackCaseOperations(context, { relationships }),
      ...refundableOrderOperations(context, { relationships, processors, settlement }),
      ...settlementReportOperations(context.db, reports),
    ],
    async stop() {
      await Promise.all([poller.stop(), thresholdCheck.stop(), noticePurge.stop()])
      await Promise.all([...processors.values(), ...reports.values()].map((each) => each.close()))
    },
  }
}
