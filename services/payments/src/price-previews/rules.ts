import type { PricePreview, PriceRule } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { addFee, priceOf } from '../price-plans/asset-fee.ts'
import { splitPrice, type ServiceFeePayer } from '../fiat-orders/service-fee.ts'
import { orderTerms } from '../price-plans/rules.ts'
import type { Disputes, PaidCryptoOrder, PaidOrders } from './store.ts'

/** The terms to preview. */
export type PreviewedTerms = Readonly<{
  priceRules: readonly PriceRule[]
  disputeFeeCents: number | null
  useKybChoices: boolean
}>

/** Returns what amounts of a processor's currency are multiples of. */
export type StepOf = (processor: string, currency: string) => number

type ServiceFees = PricePreview['service_fees'][number]
type CryptoFees = PricePreview['crypto_fees'][number]
type DisputeFees = PricePreview['dispute_fees'][number]

const PAYER_FIELDS = { merchant: 'merchant_cents', customer: 'customer_cents' } as const

const add = (fees: ServiceFees['charged'], payer: ServiceFeePayer, cents: number): void => {
  fees[PAYER_FIELDS[payer]] += cents
}

/** Terms without the parts of a plan's version that no fee of the past depends on. */
const appliedTerms = (terms: PreviewedTerms, feeHandling: PaidOrders['feeHandling']) => ({
  ...terms,
  ...{ priceVersionId: null, partnerFeeMaxPercent: null, feeHandling },
})

const noServiceFees = ({ currency, kind }: PaidOrders): ServiceFees => ({
  ...{ currency, kind, orders: 0, refused_orders: 0 },
  charged: { merchant_cents: 0, customer_cents: 0 },
  preview: { merchant_cents: 0, customer_cents: 0 },
})

/** Sums the service fees of paid orders by currency and kind, as charged and under the previewed terms. */
export const previewServiceFees = (
  paid: readonly PaidOrders[],
  terms: PreviewedTerms,
  stepOf: StepOf,
): ServiceFees[] => {
  const sums = new Map<string, ServiceFees>()
  for (const orders of paid) {
    const { currency, kind, priceCents, feeHandling } = orders
    const { fee } = orderTerms(appliedTerms(terms, feeHandling), 0, { rail: 'card', kind, currency })
    const step = stepOf(orders.processor, currency)
    const { serviceFeeCents } = splitPrice(priceCents, fee, fee.payer, step)
    const key = `${currency} ${kind}`
    const sum = sums.get(key) ?? noServiceFees(orders)
    sums.set(key, sum)
    sum.orders += orders.orders
    add(sum.charged, orders.payer, orders.feeCents)
    if (serviceFeeCents > priceCents) sum.refused_orders += orders.orders
    else add(sum.preview, fee.payer, serviceFeeCents * orders.orders)
  }
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

const noUnits = () => ({ merchant: 0n, customer: 0n })

const sumCryptoFees = (
  unit: string,
  orders: readonly PaidCryptoOrder[],
  terms: PreviewedTerms,
): CryptoFees => {
  const [charged, preview] = [noUnits(), noUnits()]
  let decimals = 0
  let refused = 0
  for (const order of orders) {
    const { asset, currency, rate, feeHandling } = order
    decimals = ASSET_DECIMALS[asset]
    const { fee } = orderTerms(appliedTerms(terms, feeHandling), 0, { rail: 'crypto', currency })
    const price = priceOf(order)
    const quote = { amount: price, networkFee: null, totalToSend: price }
    const { serviceFee, isTooBig } = addFee(quote, { asset, currency, price: rate }, fee)
    charged[order.serviceFeePayer] += toUnits(order.serviceFee, decimals)
    if (isTooBig) refused += 1
    else preview[fee.payer] += toUnits(serviceFee, decimals)
  }
  const present = ({ merchant, customer }: ReturnType<typeof noUnits>) => ({
    merchant: fromUnits(merchant, decimals),
    customer: fromUnits(customer, decimals),
  })
  return {
    unit,
    orders: orders.length,
    charged: present(charged),
    preview: present(preview),
    refused_orders: refused,
  }
}

/** Sums the service fees of paid crypto orders by unit, as charged and under the previewed terms, each at its order's rate. */
export const previewCryptoFees = (paid: readonly PaidCryptoOrder[], terms: PreviewedTerms): CryptoFees[] => {
  const sums = Map.groupBy(paid, ({ network, asset }) => `${network}/${asset}`)
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([unit, orders]) => sumCryptoFees(unit, orders, terms))
}

/** Sums the fees of disputes by currency: the plan's in the order's currency, otherwise the processor's. */
export const previewDisputeFees = (
  found: readonly Disputes[],
  { disputeFeeCents }: Pick<PreviewedTerms, 'disputeFeeCents'>,
): DisputeFees[] => {
  const sums = new Map<string, DisputeFees>()
  const addFee = (
    field: 'charged_cents' | 'preview_cents',
    planCents: number | null,
    { currency, processorCents, processorCurrency, disputes }: Disputes,
  ): void => {
    const feeCurrency = planCents === null ? (processorCurrency ?? currency) : currency
    const sum = sums.get(feeCurrency) ?? { currency: feeCurrency, charged_cents: 0, preview_cents: 0 }
    sums.set(feeCurrency, sum)
    sum[field] += (planCents ?? processorCents ?? 0) * disputes
  }
  for (const disputes of found) {
    addFee('charged_cents', disputes.planCents, disputes)
    addFee('preview_cents', disputeFeeCents, disputes)
  }
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
