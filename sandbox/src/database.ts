import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Opens the sandbox's state in `folder`, or in memory. What was answered survives a kill of the process. */
export const openDatabase = (folder: string | null): DatabaseSync => {
  if (folder !== null) mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(folder === null ? ':memory:' : join(folder, 'sandbox.sqlite'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
  return database
}

/** Runs `work` in one transaction; an exception undoes all of it. */
export const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
