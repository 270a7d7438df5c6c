import type { Cursors } from './cursors.ts'
import { pageOf, type PageOptions } from './page.ts'

/** What a list is ordered by: the position before its first row, and a position as it is written in a cursor. */
export type KeysetOrder<Position> = Readonly<{
  start: Position
  write: (position: Position) => readonly string[]
  /** Null for values that are no position of this order. */
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
    /** The statement reads `limit` rows, not one more: a full page gets a cursor, be there more rows or not. */
    continuesWhenFull?: boolean
  }>

/** What a list answers with: its items, the last row among them where the list goes on, and the cursor after it. */
export type ListPage<Item, Row> = Readonly<{ items: Item[]; last: Row | null; nextCursor: string | null }>

/** One list that is read page by page (decisions §1 and §18). */
export type KeysetList<Position> = Readonly<{
  /**
   * The position after which a page begins; the start of the list without a cursor.
   * @returns null for a cursor that this very list did not issue
   */
  after: (cursor: string | null) => Position | null
  /** The cursor of what comes after a position; null for null. */
  cursorAfter: (position: Position | null) => string | null
  /** Cuts rows into a page of at most `limit` items and 512 KiB. */
  page: <Item, Row>(options: ListPageOptions<Item, Row, Position>) => ListPage<Item, Row>
}>

/**
 * Reads a list by keyset: `after(cursor)` before the statement, `page({ rows, … })` behind it.
 * @param list.name names the list, whose it is and its filter, for example `customers:prt_…`: a cursor of another
 *   list is none
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
