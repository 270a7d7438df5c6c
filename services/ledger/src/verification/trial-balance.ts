import type { Account } from '../posting/accounts.ts'

type AccountClass = Account['class']

/** Sums of one account in one unit. */
type AccountSums = Readonly<{
  unit: string
  name: string
  class: AccountClass
  debits: string
  credits: string
}>

/** The trial balance of one unit (decisions §48). `difference` is 0 in every state of the books. */
export type UnitBalance = Readonly<{
  unit: string
  debits: bigint
  credits: bigint
  difference: bigint
  /** Positive on the account's usual side: debits of assets and costs, credits of liabilities and income. */
  accounts: readonly Readonly<{ account: string; class: AccountClass; balance: bigint }>[]
}>

const balanceOf = ({ class: accountClass, debits, credits }: AccountSums): bigint => {
  const debit = BigInt(debits) - BigInt(credits)
  return accountClass === 'asset' || accountClass === 'cost' ? debit : -debit
}

/** Adds up accounts by unit. */
export const trialBalanceOf = (sums: readonly AccountSums[]): UnitBalance[] =>
  Object.entries(Object.groupBy(sums, ({ unit }) => unit)).map(([unit, ofUnit = []]) => {
    const debits = ofUnit.reduce((sum, each) => sum + BigInt(each.debits), 0n)
    const credits = ofUnit.reduce((sum, each) => sum + BigInt(each.credits), 0n)
    const accounts = ofUnit.map((each) => ({
      account: each.name,
      class: each.class,
      balance: balanceOf(each),
    }))
    return { unit, debits, credits, difference: debits - credits, accounts }
  })
