import type { CryptoSettlement, PriceRule } from '@causeway/contracts'

/** The default plan; the migration inserts it. */
export const DEFAULT_PLAN_ID = 'ppl_00000000000000000000000000'

/** The parts of a rule that decide the service fee of an order. */
export type FeeRule = Readonly<Pick<PriceRule, 'percent' | 'payer'> & { fixedCents: number }>

/** The terms under which an order is created. */
export type OrderTerms = Readonly<{
  /** Null for the default plan's built-in terms. */
  priceVersionId: string | null
  fee: FeeRule
  /** The most that a partner's own fee may take of an order's price. */
  partnerFeeMaxPercent: number
  /** Charged for a dispute instead of the processor's fee, in the order's currency; null: the processor's fee. */
  disputeFeeCents: number | null
}>

/** The version that applies to a new order as it is read; without one the default plan's built-in terms do. */
export type AppliedVersion = Readonly<{
  priceVersionId: string | null
  priceRules: readonly PriceRule[] | null
  partnerFeeMaxPercent: number | null
  disputeFeeCents: number | null
  useKybChoices: boolean | null
  /** The merchant's choice in its verification data, as approved. */
  feeHandling: 'customer_pays' | 'niftipay_absorbs' | null
  /** Null also for a version from before there was a choice. */
  settlement: CryptoSettlement | null
  /** The merchant's choice in its verification data, as approved. */
  settlementOption: 'fiat_eur_iban' | 'crypto_usdt' | null
}>

/** The parts of a version that decide fees. */
type AppliedFees = Omit<AppliedVersion, 'settlement' | 'settlementOption'>

/** Where no version applies. */
export const NO_VERSION: AppliedVersion = {
  priceVersionId: null,
  priceRules: null,
  partnerFeeMaxPercent: null,
  disputeFeeCents: null,
  useKybChoices: null,
  feeHandling: null,
  settlement: null,
  settlementOption: null,
}

type Ordered = Readonly<{ rail: PriceRule['rail']; kind?: PriceRule['kind']; currency: string }>

/** Who bears the service fee where neither request nor plan says (decisions §10). */
const DEFAULT_FEE_PAYER = 'merchant'
const NO_FEE: FeeRule = { percent: 0, fixedCents: 0, payer: DEFAULT_FEE_PAYER }

const specificity = ({ kind, currency }: PriceRule): number =>
  (kind === undefined ? 0 : 2) + (currency === undefined ? 0 : 1)

/**
 * Finds the rule of an order, the most specific first (decisions §52): one that names its kind and currency, its kind, its
 * currency, neither. An order without a rule has no service fee.
 */
export const findFeeRule = (rules: readonly PriceRule[], { rail, kind, currency }: Ordered): FeeRule => {
  const [found] = rules
    .filter(
      (rule) =>
        rule.rail === rail &&
        (rule.kind === undefined || rule.kind === kind) &&
        (rule.currency === undefined || rule.currency === currency),
    )
    .sort((a, b) => specificity(b) - specificity(a))
  return found ? { percent: found.percent, fixedCents: found.fixed_cents, payer: found.payer } : NO_FEE
}

/** The rules of the default plan while it has no version: those of the setting `SERVICE_FEE_PERCENT`. */
export const builtInRules = (serviceFeePercent: number): readonly PriceRule[] => [
  { rail: 'card', percent: serviceFeePercent, fixed_cents: 0, payer: DEFAULT_FEE_PAYER },
]

/**
 * The payer that the merchant chose in its verification data, where the plan uses the choice: `niftipay_absorbs` charges
 * the buyer nothing.
 */
const chosenPayer = ({
  useKybChoices,
  feeHandling,
}: Pick<AppliedVersion, 'useKybChoices' | 'feeHandling'>) => {
  if (!useKybChoices || feeHandling === null) return null
  return feeHandling === 'customer_pays' ? 'customer' : 'merchant'
}

/** The currency of the choice `fiat_eur_iban`. */
const CHOSEN_CURRENCY = 'EUR'

/**
 * Returns where the receipts of a new crypto order are booked. The merchant's choice wins over the plan where the plan uses
 * it: `fiat_eur_iban` for orders in EUR; `crypto_usdt` keeps the asset, because no asset is converted into another one. A
 * version from before there was a choice keeps the asset.
 */
const settlementOf = (
  {
    settlement,
    useKybChoices,
    settlementOption,
  }: Pick<AppliedVersion, 'settlement' | 'useKybChoices' | 'settlementOption'>,
  currency: string,
): CryptoSettlement => {
  if (settlement === null) return 'asset'
  if (!useKybChoices) return settlement
  if (settlementOption === 'crypto_usdt') return 'asset'
  return settlementOption === 'fiat_eur_iban' && currency === CHOSEN_CURRENCY ? 'order_currency' : settlement
}

/** Returns the terms of a new order by the version that applies. */
export const orderTerms = (
  { priceVersionId, priceRules, partnerFeeMaxPercent, disputeFeeCents, ...choices }: AppliedFees,
  serviceFeePercent: number,
  order: Ordered,
): OrderTerms => {
  const fee = findFeeRule(priceRules ?? builtInRules(serviceFeePercent), order)
  return {
    priceVersionId,
    fee: { ...fee, payer: chosenPayer(choices) ?? fee.payer },
    partnerFeeMaxPercent: partnerFeeMaxPercent ?? 0,
    disputeFeeCents,
  }
}

/** The percentage of the setting `SERVICE_FEE_PERCENT` is of card orders alone (decisions §52). */
const NO_CARD_FEE = 0

/** The terms of a crypto order. */
export type CryptoOrderTerms = OrderTerms & Readonly<{ settlement: CryptoSettlement }>

/** Returns the terms of a new crypto order. */
export const cryptoOrderTerms = (applied: AppliedVersion, currency: string): CryptoOrderTerms => ({
  ...orderTerms(applied, NO_CARD_FEE, { rail: 'crypto', currency }),
  settlement: settlementOf(applied, currency),
})
