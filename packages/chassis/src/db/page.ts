/** Most bytes of a page of any list: half of the largest message on the bus (decisions §18). */
export const PAGE_MAX_BYTES = 512 * 1024

/** As many items as fit, and the position after which the next page begins (null at the end). */
export type Page<Item, Row> = Readonly<{ items: readonly Item[]; last: Row | null }>

export type PageOptions<Item, Row> = Readonly<{
  /** At most `limit + 1` rows: the extra one shows that the list continues. */
  rows: readonly Row[]
  limit: number
  present: (row: Row) => Item
  /** Size of an item in bytes; left out: that of its JSON. */
  bytesOf?: (item: Item) => number
  maxBytes?: number
}>

/** Size of a value's JSON in bytes of UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Cuts rows into a page of at most `limit` items and 512 KiB of JSON, so that every reply fits into a message whatever
 * was stored. An item larger than a page is returned alone: each resource bounds the size of its items.
 */
export const pageOf = <Item, Row>(options: PageOptions<Item, Row>): Page<Item, Row> => {
  const { rows, limit, present, bytesOf = jsonBytes, maxBytes = PAGE_MAX_BYTES } = options
  const items: Item[] = []
  let bytes = 0
  for (const row of rows.slice(0, limit)) {
    const item = present(row)
    bytes += bytesOf(item) + 1
    if (items.length > 0 && bytes > maxBytes) break
    items.push(item)
  }
  const last = items.length < rows.length ? rows[items.length - 1] : undefined
  return { items, last: last ?? null }
}
