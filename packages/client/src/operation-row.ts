/** An operation as the client's table has it. */
export type OperationRow = readonly [
  method: string,
  /** After the prefix of its table; parameters are written `{name}`. */
  path: string,
  facts?: Readonly<{
    /** Takes an `Idempotency-Key`. */
    keyed?: boolean
    /** Has the effect of one call however often it is repeated, without a key. */
    repeatable?: boolean
    /** Its body is a file. */
    upload?: boolean
    /** Name of the list in a page. */
    items?: string
    /** Name of the query parameter that takes `next_cursor` or `nextCursor`; left out: `cursor`. */
    cursor?: string
  }>,
]
