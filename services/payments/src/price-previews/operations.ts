import { implement, refuse, reply, type Implementation, type ServiceContext } from '@causeway/chassis'
import { MAX_PREVIEWED, MAX_PREVIEWED_CRYPTO, PREVIEW_DAYS, pricePreviews } from '@causeway/contracts'
import type { CardProcessors } from '@causeway/rails/cards'
import { previewCryptoFees, previewDisputeFees, previewServiceFees, type StepOf } from './rules.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000

const tooMany = (max: number, what: string) =>
  refuse('invalid_request', [
    {
      ...{ field: 'customerId', reason: 'too_big' },
      expected: `a merchant with at most ${max} ${what} in ${PREVIEW_DAYS} days`,
    },
  ])

/** `payments.price-previews` (decisions §52). */
export const pricePreviewOperations = (
  { db }: Pick<ServiceContext, 'db'>,
  { processors }: Readonly<{ processors: CardProcessors }>,
): Implementation[] => {
  // Amounts of a processor that was removed since have no step.
  const stepOf: StepOf = (processor, currency) => processors.get(processor)?.traits.amountStep(currency) ?? 1

  return implement(pricePreviews, {
    async create({ params: { customerId: merchantId }, body, now }) {
      if ((await store.findMerchant(db, { merchantId })) === null) return refuse('resource_not_found')
      const since = new Date(now.getTime() - PREVIEW_DAYS * DAY_MS)
      const period = { merchantId, since, limit: MAX_PREVIEWED + 1 }
      const paid = await store.countPaidOrders(db, period)
      const disputes = await store.countDisputes(db, period)
      const counted = Math.max(
        paid.reduce((sum, { orders }) => sum + orders, 0),
        disputes.reduce((sum, each) => sum + each.disputes, 0),
      )
      if (counted > MAX_PREVIEWED) return tooMany(MAX_PREVIEWED, 'paid orders')
      const crypto = await store.listPaidCryptoOrders(db, { ...period, limit: MAX_PREVIEWED_CRYPTO + 1 })
      if (crypto.length > MAX_PREVIEWED_CRYPTO) return tooMany(MAX_PREVIEWED_CRYPTO, 'paid crypto orders')
      const terms = {
        priceRules: body.rules,
        disputeFeeCents: body.dispute_fee_cents ?? null,
        useKybChoices: body.use_kyb_choices,
      }
      return reply({
        preview: {
          since: since.toISOString(),
          until: now.toISOString(),
          service_fees: previewServiceFees(paid, terms, stepOf),
          crypto_fees: previewCryptoFees(crypto, terms),
          dispute_fees: previewDisputeFees(disputes, terms),
        },
      })
    },
  })
}
