import type { Invariant, RowSpace, StepRule } from '@causeway/chassis/exploration'
import { modelOf } from '../fixtures/model.ts'
import { FACTS, type PostingState } from './posting-world.ts'

type Row = Readonly<Record<string, unknown>>

/** Invariants of the books for every state, step and end. @param lastDay the time at which everything due is released */
export const postingRules = (space: RowSpace, lastDay: string) => {
  const rowsOf = ({ rows }: PostingState, table: string): readonly Row[] => space.rowsOf(rows)[table] ?? []
  const postedOf = (state: PostingState): string[] =>
    rowsOf(state, 'books.journal').map(({ source, rule }) => `${String(source)} ${String(rule)}`)
  const sumsOf = (state: PostingState): Record<string, bigint> => {
    const names = new Map(
      rowsOf(state, 'books.accounts').map(({ id, name, unit }) => [id, `${String(name)} ${String(unit)}`]),
    )
    const sums: Record<string, bigint> = {}
    const add = (id: unknown, amount: bigint) => {
      const name = names.get(id) ?? ''
      sums[name] = (sums[name] ?? 0n) + amount
    }
    for (const { debit, credit, amount } of rowsOf(state, 'books.transfers')) {
      add(debit, -BigInt(String(amount)))
      add(credit, BigInt(String(amount)))
    }
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n))
  }
  const expected = modelOf(FACTS, lastDay)
  const isDue = ({ due_at: at }: Row): boolean => Date.parse(String(at)) <= Date.parse(lastDay)
  const isSame = (one: Record<string, bigint>, other: Record<string, bigint>) =>
    Object.keys({ ...one, ...other }).every((name) => one[name] === other[name])
  const isComplete = (state: PostingState): boolean =>
    state.world.acked.length === FACTS.length &&
    isSame(sumsOf(state), expected) &&
    !rowsOf(state, 'books.scheduled').some(isDue)

  const invariants: Invariant<PostingState>[] = [
    {
      name: 'acknowledged-is-posted',
      says: 'The fact of an event that is acknowledged is posted.',
      holds: (state) => {
        const posted = postedOf(state)
        return state.world.acked.every((place) => posted.includes(`${FACTS[place]?.fact_id} fact`))
      },
    },
    {
      name: 'receipt-with-its-posting',
      says: 'A receipt is stored with its posting, and a posting with its receipt.',
      holds: (state) => {
        const receipts = rowsOf(state, 'received_facts').map(({ fact_id: id }) => `${String(id)} fact`)
        const posted = postedOf(state).filter((key) => key.endsWith(' fact'))
        return receipts.sort().join() === posted.sort().join()
      },
    },
    {
      name: 'release-follows',
      says: 'A posted fact has its release scheduled, or posted, and not both.',
      holds: (state) => {
        const posted = postedOf(state)
        const scheduled = rowsOf(state, 'books.scheduled').map(({ source }) => source)
        return FACTS.every(({ fact_id: id }) => {
          const releases = [scheduled.includes(id), posted.includes(`${id} release`)].filter(Boolean).length
          return releases === (posted.includes(`${id} fact`) ? 1 : 0)
        })
      },
    },
    {
      name: 'balances-are-sums',
      says: 'Each balance is the sum and the number of its entries, and each entry leaves the sum up to it.',
      holds: (state) => {
        const entries = Map.groupBy(rowsOf(state, 'books.entries'), ({ account_id: id }) => id)
        const balances = rowsOf(state, 'books.balances')
        return (
          balances.length === entries.size &&
          balances.every(({ account_id: id, amount, entries: count }) => {
            const own = (entries.get(id) ?? []).toSorted((a, b) => Number(a['number']) - Number(b['number']))
            let sum = 0
            const isRun = own.every((entry, at) => {
              sum += Number(entry['amount'])
              return entry['number'] === at + 1 && entry['balance_after'] === sum
            })
            return isRun && sum === amount && own.length === count
          })
        )
      },
    },
    {
      name: 'no-difference',
      says: 'No difference between the books and the source is recorded.',
      holds: (state) => rowsOf(state, 'fact_differences').length === 0,
    },
  ]
  const stepRules: StepRule<PostingState>[] = [
    {
      name: 'journal-only-grows',
      says: 'A posting that was made is never changed or removed.',
      holds: (before, after) => {
        const later = new Set(rowsOf(after, 'books.journal').map((row) => JSON.stringify(row)))
        return rowsOf(before, 'books.journal').every((row) => later.has(JSON.stringify(row)))
      },
    },
  ]
  const complete: Invariant<PostingState> = {
    name: 'same-books',
    says: 'Everything is acknowledged, and the books are those of an independent model, whatever the order and the faults.',
    holds: isComplete,
  }
  return { invariants, stepRules, atEnd: [complete], alwaysReachable: [complete] }
}
