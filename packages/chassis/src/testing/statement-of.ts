import type { Queryable } from '../db/statement.ts'

/** A statement's text, and its values in the order of its parameters, arrays not encoded. */
export type CapturedStatement = Readonly<{ text: string; values: readonly unknown[] }>

/** The statement that a store's function would run, for EXPLAIN: `statementOf((db) => listOrders(db, { … }))`. */
export const statementOf = async (run: (db: Queryable) => Promise<unknown>): Promise<CapturedStatement> => {
  const captured: CapturedStatement[] = []
  await run({
    query(declared, values) {
      const wrapped: Record<string, { value: unknown }> = {}
      for (const [name, value] of Object.entries(values)) wrapped[name] = { value }
      const bound = declared.bind(wrapped) as { value: unknown }[]
      captured.push({ text: declared.text, values: bound.map(({ value }) => value) })
      return Promise.resolve([])
    },
  })
  const [statement, ...others] = captured
  if (!statement || others.length > 0)
    throw new Error(`Expected one statement, but ${captured.length} were run`)
  return statement
}
