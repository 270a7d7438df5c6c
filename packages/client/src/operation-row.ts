/** An operation as the client's table has it. */
export type OperationRow = readonly [
  method: string,
  /** After the prefix of its table; parameters are written `{name}`. */
  path: string,
  facts?: Readonly<{
    /** Takes an `Idempotency-Key`. */
    keyed?: true
    /** Has the effect of one call however often it is repeated, without a key. */
    repeatable?: true
    /** Its body is a file. */
    upload?: true
    /** Name of the query parameter that takes `next_cursor`. */
    cursor?: string
    /** Name of the list in a page. */
    items?: string
  }>,
]
