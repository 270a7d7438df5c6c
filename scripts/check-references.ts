/**
 * `node scripts/check-references.ts`: names every reference to the specification, a decision, an ADR or a page that
 * does not resolve.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkReferences } from './references/references.ts'

const root = join(import.meta.dirname, '..')
/** The check's own test contains references that do not resolve. */
const FIXTURES = 'scripts/references/references.test.ts'
const READ = /\.(?:ts|sql|md|cjs|sh|conf)$/

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))
  .map((path) => ({ path, text: READ.test(path) ? readFileSync(join(root, path), 'utf8') : '' }))

const faults = checkReferences(files, (path) => READ.test(path) && path !== FIXTURES)
for (const { path, line, reference, reason } of faults)
  console.log(`${path}:${line}: ${reference}: ${reason}`)
if (faults.length > 0) process.exitCode = 1
