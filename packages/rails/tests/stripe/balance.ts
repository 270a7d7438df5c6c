import { randomBytes } from 'node:crypto'
import { type Fields, list, nested, text } from './form.ts'
import { page } from './objects.ts'

type Source = {
  id: string
  object: string
  payment_intent?: string
  amount?: number
  currency?: string
  reconciliation_status?: string
}
/** A balance transaction, as its documentation says. Times are Unix seconds. */
type Transaction = {
  id: string
  object: 'balance_transaction'
  type: string
  reporting_category: string
  amount: number
  fee: number
  net: number
  currency: string
  exchange_rate: number | null
  created: number
  available_on: number
  source: Source | null
}
type Added = Pick<Transaction, 'type' | 'reporting_category' | 'amount' | 'currency'> &
  Readonly<{ fee?: number; source?: Source }>

/** The only currency of an account, and how much of it one unit of another currency is. */
type Settlement = Readonly<{ currency: string; rates: Readonly<Record<string, number>> }>

const DAY_S = 86_400
const id = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

/** The balance of an account at Stripe, with its automatic payouts. */
export const createBalance = (nowSeconds: () => number) => {
  const transactions: Transaction[] = []
  /** The payout that contains a transaction, by the transaction's id. */
  const payouts = new Map<string, string>()

  let settlement: Settlement | null = null

  /** Fees are in the currency of the account; currencies of two decimals only are converted. */
  const convert = ({ amount, currency }: Pick<Added, 'amount' | 'currency'>) => {
    const rate = settlement?.rates[currency]
    return settlement === null || rate === undefined
      ? { amount, currency, exchange_rate: null }
      : { amount: Math.round(amount * rate), currency: settlement.currency, exchange_rate: rate }
  }

  const add = ({ fee = 0, source, ...added }: Added): Transaction => {
    const settled = convert(added)
    const transaction: Transaction = {
      id: id('txn'),
      object: 'balance_transaction',
      ...added,
      ...settled,
      fee,
      net: settled.amount - fee,
      created: nowSeconds(),
      available_on: nowSeconds() + 2 * DAY_S,
      source: source ?? null,
    }
    transactions.unshift(transaction)
    return transaction
  }

  return {
    add,
    /** From now on the account has one currency, to which Stripe converts the others. */
    settleIn: (currency: string, rates: Settlement['rates']): void => {
      settlement = { currency, rates }
    },
    /** Pays out everything that is not paid out yet, a payout for each currency. @returns their ids */
    payOut: (status: 'completed' | 'in_progress' | 'not_applicable' = 'completed'): Source[] => {
      const open = transactions.filter((each) => !payouts.has(each.id))
      return [...Map.groupBy(open, ({ currency }) => currency)].map(([currency, contained]) => {
        const payout = { id: id('po'), object: 'payout', reconciliation_status: status }
        const amount = contained.reduce((sum, { net }) => sum + net, 0)
        const category = { type: 'payout', reporting_category: 'payout' }
        const own = add({ ...category, amount: -amount, currency, source: payout })
        for (const each of [own, ...contained]) payouts.set(each.id, payout.id)
        return payout
      })
    },
    list: (query: Fields) => {
      const [type, payout] = [text(query['type']), text(query['payout'])]
      const since = Number(text(nested(query['created'])['gte']) ?? 0)
      const found = transactions.filter(
        (each) =>
          each.created >= since &&
          (type === null || each.type === type) &&
          (payout === null || payouts.get(each.id) === payout),
      )
      const one = page(found, { limit: text(query['limit']), startingAfter: text(query['starting_after']) })
      const isExpanded = list(query['expand']).includes('data.source')
      const data = one.data.map((each) => ({
        ...each,
        source: isExpanded ? each.source : (each.source?.id ?? null),
      }))
      return { ...one, data }
    },
  }
}
