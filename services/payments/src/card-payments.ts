import type { ServiceContext } from '@causeway/chassis'
import { createCardProcessors } from '@causeway/rails'
import type { Onboarding } from './clients/onboarding.ts'
import type { PaymentsConfig } from './config.ts'
import { startDisputeStanding } from './jobs/dispute-standing.ts'
import { startNoticeForgetting } from './jobs/notice-forgetting.ts'
import { startPaymentPoller } from './jobs/payment-poller.ts'
import { cardNoticeOperations } from './operations/card-notices.ts'
import { chargebackCaseOperations } from './operations/chargeback-cases.ts'
import { chargebackOperations } from './operations/chargebacks.ts'
import { createFiatSettlement } from './operations/fiat-settlement.ts'
import { fiatOrderOperations } from './operations/fiat-orders.ts'
import { integrationOperations } from './operations/integrations.ts'
import { createMerchantNames } from './operations/merchant-names.ts'
import { refundableOrderOperations } from './operations/refundable-orders.ts'
import type { Relationships } from './operations/relationships.ts'

/** Below the deadline of a request on the bus. */
const CARD_TIMEOUT_MS = 3_500

/** The card side of payments: its operations, and the jobs that follow processors and judge merchants. */
export const startCardPayments = (
  context: ServiceContext,
  config: PaymentsConfig,
  owners: Readonly<{ relationships: Relationships; onboarding: Onboarding }>,
) => {
  const { relationships, onboarding } = owners
  const { publicBaseUrl, riskRules, cardPollAfterMs: pollAfterMs, cardReviewAfterMs: reviewAfterMs } = config
  const processors = createCardProcessors({ ...config.cards, timeoutMs: CARD_TIMEOUT_MS })
  const labels = new Map([...processors].map(([key, { traits }]) => [key, traits.pspLabel]))
  const settlement = createFiatSettlement(context, { processors, publicBaseUrl, reviewAfterMs, riskRules })
  const poller = startPaymentPoller(context, {
    processors,
    settlement,
    pollAfterMs,
    reviewAfterMs,
    reviewForMs: config.cardReviewForMs,
  })
  const forgetting = startNoticeForgetting(context)
  const disputeStanding = startDisputeStanding(context, config.disputeThreshold)
  const fiat = fiatOrderOperations(context, {
    relationships,
    processors,
    merchantNames: createMerchantNames(context, onboarding),
    serviceFeePercent: config.serviceFeePercent,
    pollAfterMs,
    publicBaseUrl,
  })
  return {
    operations: [
      ...integrationOperations(context, { relationships, processors: labels }),
      ...fiat,
      ...cardNoticeOperations(context, { processors, settlement }),
      ...chargebackOperations(context, { relationships, processors, settlement }),
      ...chargebackCaseOperations(context, { relationships }),
      ...refundableOrderOperations(context, { relationships, processors, settlement }),
    ],
    async stop() {
      await Promise.all([poller.stop(), disputeStanding.stop(), forgetting.stop()])
      await Promise.all([...processors.values()].map((processor) => processor.close()))
    },
  }
}
