import type { Cursors } from './cursors.ts'
import { pageOf, type PageOptions } from './page.ts'

/** Order of a list: the position before its first row, and how a position is written in a cursor. */
export type KeysetOrder<Position> = Readonly<{
  start: Position
  write: (position: Position) => readonly string[]
  /** Null for values that are not a position of this order. */
  read: (values: readonly string[]) => Position | null
}>

/** Position in a list that is ordered by a time, then by an id. */
export type TimePosition = Readonly<{ at: Date; id: string }>

const byTime = (start: Date): KeysetOrder<TimePosition> => ({
  start: { at: start, id: '' },
  write: ({ at, id }) => [at.toISOString(), id],
  read([time = '', id]) {
    const at = new Date(time)
    return id === undefined || Number.isNaN(at.getTime()) ? null : { at, id }
  },
})

/** For `WHERE (created_at, id) > (:at, :id) ORDER BY created_at, id`. */
export const OLDEST_FIRST = byTime(new Date(0))
/** For `WHERE (created_at, id) < (:at, :id) ORDER BY created_at DESC, id DESC`. */
export const NEWEST_FIRST = byTime(new Date('9999-12-31T23:59:59.999Z'))
/** For `WHERE id > :id ORDER BY id`. */
export const BY_ID: KeysetOrder<Readonly<{ id: string }>> = {
  start: { id: '' },
  write: ({ id }) => [id],
  read: ([id]) => (id === undefined ? null : { id }),
}

type ListPageOptions<Item, Row, Position> = PageOptions<Item, Row> &
  Readonly<{
    positionOf: (row: Row) => Position
    /** True: the statement read `limit` rows instead of one more; a full page then gets a cursor in any case. */
    continuesWhenFull?: boolean
  }>

/** A page: its items, their last row if the list continues, and the cursor after it. */
export type ListPage<Item, Row> = Readonly<{ items: Item[]; last: Row | null; nextCursor: string | null }>

/** One list that is read page by page (decisions §1 and §18). */
export type KeysetList<Position> = Readonly<{
  /**
   * The position after which a page begins; without a cursor the start of the list.
   * @returns null for a cursor that another list, or nobody, issued
   */
  after: (cursor: string | null) => Position | null
  /** The cursor for the page after a position; null for null. */
  cursorAfter: (position: Position | null) => string | null
  /** Cuts rows into a page of at most `limit` items and 512 KiB. */
  page: <Item, Row>(options: ListPageOptions<Item, Row, Position>) => ListPage<Item, Row>
}>

/**
 * Reads a list by keyset: `after(cursor)` before the statement, `page({ rows, … })` after it.
 * @param list.name name of the list with its owner and filter, for example `customers:prt_…`: cursors of other lists
 *   are refused
 */
export const keysetList = <Position>(
  cursors: Cursors,
  { name, order }: Readonly<{ name: string; order: KeysetOrder<Position> }>,
): KeysetList<Position> => {
  const cursorAfter = (position: Position | null) =>
    position === null ? null : cursors.encode(name, order.write(position))
  return {
    after(cursor) {
      if (cursor === null) return order.start
      const values = cursors.decode(name, cursor)
      return values && order.read(values)
    },
    cursorAfter,
    page({ positionOf, continuesWhenFull = false, ...options }) {
      const { items, last: cut } = pageOf(options)
      const isFull = options.rows.length === options.limit
      const last = cut ?? (continuesWhenFull && isFull ? options.rows.at(-1) : undefined) ?? null
      return { items: [...items], last, nextCursor: cursorAfter(last && positionOf(last)) }
    },
  }
}
