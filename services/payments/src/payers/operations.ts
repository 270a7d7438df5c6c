import {
  createCursors,
  implement,
  jsonBytes,
  keysetList,
  PAGE_MAX_BYTES,
  refuse,
  reply,
  type Implementation,
  type KeysetOrder,
  type ServiceContext,
} from '@causeway/chassis'
import { payers, type PayerQuery, type PayerRecord } from '@causeway/contracts'
import { createPayerErasure } from './erasure.ts'
import { KINDS, searchedPayerOf, searchPayer, START, type Position, type SearchedPayer } from './search.ts'

/** Orders that one page of an export scans: about a second, below the deadline of a request. */
const MAX_SCANNED = 5_000

const BY_KIND: KeysetOrder<Position> = {
  start: START,
  write: ({ kind, id }) => [kind, id],
  read([name, id]) {
    const kind = KINDS.find((each) => each === name)
    return kind === undefined || id === undefined ? null : { kind, id }
  },
}

type Page = Readonly<{ records: PayerRecord[]; next: Position | null }>

/** `payments.payers`: the export and the erasure of one payer, at every merchant. */
export const payerOperations = (
  context: Pick<ServiceContext, 'db' | 'vault'>,
  { retentionMs }: Readonly<{ retentionMs: number }>,
): Implementation[] => {
  const cursors = createCursors(context.vault)
  const erase = createPayerErasure(context, retentionMs)
  const startSearch = (operation: string, query: PayerQuery) => {
    const payer = searchedPayerOf(context.vault, query)
    const name = `${operation}:${payer.kind}:${payer.mac.toString('hex')}`
    return { payer, list: keysetList(cursors, { name, order: BY_KIND }) }
  }

  const exportPage = async (payer: SearchedPayer, from: Position, limit: number): Promise<Page> => {
    const records: PayerRecord[] = []
    let bytes = 0
    let next = from
    const search = searchPayer(context, payer, { from, kinds: KINDS, limit: MAX_SCANNED })
    for (;;) {
      const step = await search.next()
      if (step.done) return { records, next: step.value ? null : next }
      for (const { position, match } of step.value.rows) {
        if (match) {
          const record = { kind: match.kind, id: match.id, data: match.data }
          bytes += jsonBytes(record) + 1
          if (records.length === limit || (records.length > 0 && bytes > PAGE_MAX_BYTES))
            return { records, next }
          records.push(record)
        }
        next = position
      }
    }
  }

  return implement(payers, {
    async export({ body, query: { limit, cursor } }) {
      const { payer, list } = startSearch('export', body)
      const from = list.after(cursor)
      if (!from) return refuse('invalid_cursor')
      const { records, next } = await exportPage(payer, from, limit)
      return reply({ records, next_cursor: list.cursorAfter(next) })
    },

    async erase({ body, query: { limit, cursor } }) {
      const { payer, list } = startSearch('erase', body)
      const from = list.after(cursor)
      if (!from) return refuse('invalid_cursor')
      const { erased, remaining, next } = await erase(payer, from, limit)
      return reply({ erased, remaining, next_cursor: list.cursorAfter(next) })
    },
  })
}
