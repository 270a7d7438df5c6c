import {
  createCursors,
  implement,
  jsonBytes,
  PAGE_MAX_BYTES,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { payers, type PayerQuery, type PayerRecord } from '@causeway/contracts'
import { createPayerErasure } from './erasure.ts'
import { KINDS, START, walkPayer, wantedOf, type Position, type Wanted } from './search.ts'

/** Orders that one page of an export looks at: about a second, below the deadline of a request. */
const MOST_LOOKED_AT = 5_000

type Page = Readonly<{ records: PayerRecord[]; next: Position | null }>

/** `payments.payers`: the export and the erasure of one payer, at whatever merchant. */
export const payerOperations = (
  context: Pick<ServiceContext, 'db' | 'vault'>,
  { retentionMs }: Readonly<{ retentionMs: number }>,
): Implementation[] => {
  const cursors = createCursors(context.vault)
  const erase = createPayerErasure(context, retentionMs)
  const listOf = (operation: string, { kind, mac }: Wanted) => `${operation}:${kind}:${mac.toString('hex')}`
  const positionIn = (list: string, cursor: string | null): Position | null => {
    if (cursor === null) return START
    const [name, id = ''] = cursors.decode(list, cursor) ?? []
    const kind = KINDS.find((each) => each === name)
    return kind === undefined ? null : { kind, id }
  }
  const cursorOf = (list: string, next: Position | null) => next && cursors.encode(list, [next.kind, next.id])
  const ask = (operation: string, query: PayerQuery, cursor: string | null) => {
    const wanted = wantedOf(context.vault, query)
    const list = listOf(operation, wanted)
    return { wanted, list, from: positionIn(list, cursor) }
  }

  const pageFrom = async (wanted: Wanted, from: Position, limit: number): Promise<Page> => {
    const records: PayerRecord[] = []
    let bytes = 0
    let next = from
    const walk = walkPayer(context, wanted, { from, kinds: KINDS, most: MOST_LOOKED_AT })
    for (;;) {
      const step = await walk.next()
      if (step.done) return { records, next: step.value ? null : next }
      for (const { at, found } of step.value.rows) {
        if (found) {
          const record = { kind: found.kind, id: found.id, data: found.data }
          bytes += jsonBytes(record) + 1
          if (records.length === limit || (records.length > 0 && bytes > PAGE_MAX_BYTES))
            return { records, next }
          records.push(record)
        }
        next = at
      }
    }
  }

  return implement(payers, {
    async export({ body, query: { limit, cursor } }) {
      const { wanted, list, from } = ask('export', body, cursor)
      if (!from) return refuse('invalid_cursor')
      const { records, next } = await pageFrom(wanted, from, limit)
      return reply({ records, next_cursor: cursorOf(list, next) })
    },

    async erase({ body, query: { limit, cursor } }) {
      const { wanted, list, from } = ask('erase', body, cursor)
      if (!from) return refuse('invalid_cursor')
      const { erased, remaining, next } = await erase(wanted, from, limit)
      return reply({ erased, remaining, next_cursor: cursorOf(list, next) })
    },
  })
}
