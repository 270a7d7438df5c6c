/** Most bytes that a page of any list holds: half of what a message on the bus may have (decisions §18). */
export const PAGE_MAX_BYTES = 512 * 1024

/** What a list answers: as many items as fit, and the position after which the next page begins (null at the end). */
export type Page<Item, Row> = Readonly<{ items: readonly Item[]; last: Row | null }>

export type PageOptions<Item, Row> = Readonly<{
  /** At most `limit + 1` rows: one more than the page holds tells that the list goes on. */
  rows: readonly Row[]
  limit: number
  present: (row: Row) => Item
  /** What an item counts, where that is not its own JSON. */
  bytesOf?: (item: Item) => number
  maxBytes?: number
}>

/** How much of a reply a value takes, in bytes of UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Cuts rows into a page of at most `limit` items and 512 KiB of JSON, so that no reply outgrows the bus whatever has
 * been stored. An item that is larger than a page by itself is given alone: each resource bounds its own.
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
