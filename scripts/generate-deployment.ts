/**
 * `pnpm generate:deployment`: writes `.env.example` after a change of the compose files or of a setting; `--check` says
 * what is stale instead.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envExample } from './deployment/env-example.ts'

const root = join(import.meta.dirname, '..')
const generated: Readonly<Record<string, string>> = { '.env.example': await envExample() }

for (const [name, text] of Object.entries(generated)) {
  const path = join(root, name)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is not up to date: run "pnpm generate:deployment"`)
    process.exitCode = 1
  }
}
