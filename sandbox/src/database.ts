import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The file holds payers' addresses, so only its owner may read it. SQLite gives its WAL files the same mode. */
const privateFileIn = (folder: string): string => {
  const file = join(folder, 'sandbox.sqlite')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

/** Opens the sandbox's state in `folder`, or in memory. In a folder, every answered request survives SIGKILL. */
export const openDatabase = (folder: string | null): DatabaseSync => {
  const file = folder === null ? ':memory:' : privateFileIn(folder)
  const database = new DatabaseSync(file)
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
