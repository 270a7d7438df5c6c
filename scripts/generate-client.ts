/**
 * `pnpm generate:client`: generates the parts of the client that the API's OpenAPI document decides: its types, and its
 * table of operations; and the tools of the MCP server. `--check` writes nothing and names the stale files.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { PREFIXES } from '@causeway/contracts'
import { describeApi, forTypes, tableOf, toolsOf, type Document } from '@causeway/reference'

const PACKAGES = join(import.meta.dirname, '..', 'packages')
const PACKAGE = join(PACKAGES, 'client')
const FOLDER = join(PACKAGE, 'src', 'generated')
const HEAD = `/* Made from the OpenAPI document by scripts/generate-client.ts: change the contracts, then run it. */
`

type Generator = { default: (document: unknown) => Promise<unknown>; astToString: (ast: unknown) => string }
// A dependency of the package alone: next to the tests' dependencies it changes what those resolve to.
const generator = createRequire(join(PACKAGE, 'package.json'))('openapi-typescript') as Generator

/** Only what is referenced from the operations, and the shapes of errors. */
const withoutUnused = (document: Document): Document => {
  const kept = new Set<string>(['ErrorCode', 'ErrorDetail'])
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (kept.has(name)) continue
      kept.add(name)
      visit(document.components.schemas[name])
    }
  }
  visit(document.paths)
  for (const name of [...kept]) visit(document.components.schemas[name])
  const schemas = Object.entries(document.components.schemas).filter(([name]) => kept.has(name))
  return { ...document, components: { schemas: Object.fromEntries(schemas) } }
}

const document = JSON.parse(JSON.stringify(describeApi('http://127.0.0.1:8080'))) as Document
/** The table with the path that most operations of a partner begin with named once, which saves half a kilobyte. */
const withCustomerNamed = (table: string): string =>
  table
    .replaceAll('"/customers/{customerId}"', 'CUSTOMER')
    .replaceAll(/"\/customers\/\{customerId\}([^"]*)"/g, '`${CUSTOMER}$1`')

const types = generator.astToString(await generator.default(withoutUnused(forTypes(document))))
const operations = `import type { OperationRow } from '../operation-row.ts'

/** Prefixes of the paths in each table. */
export const PARTNER_PREFIX = '${PREFIXES.partner}'
export const MERCHANT_PREFIX = '${PREFIXES.merchant}'

const CUSTOMER = '/customers/{customerId}'

/** Operations that a partner may call, with its token. */
export const PARTNER_OPERATIONS = ${withCustomerNamed(tableOf(document, 'partnerToken'))} as const satisfies Record<string, OperationRow>

/** Operations that a merchant may call, with its key. */
export const MERCHANT_OPERATIONS = ${tableOf(document, 'merchantKey')} as const satisfies Record<string, OperationRow>
`
const tools = `import type { ToolTable } from '../tool.ts'

/** Operations with which a partner reads, with its token. */
export const PARTNER_TOOLS = ${toolsOf(document, 'partnerToken')} as const satisfies ToolTable

/** Operations with which a merchant reads, with its key. */
export const MERCHANT_TOOLS = ${toolsOf(document, 'merchantKey')} as const satisfies ToolTable
`
const FILES = new Map([
  [join(FOLDER, 'api.ts'), `/* oxlint-disable -- generated */\n${types}`],
  [join(FOLDER, 'operations.ts'), operations],
  [join(PACKAGES, 'mcp', 'src', 'generated', 'tools.ts'), `/* oxlint-disable -- generated */\n${tools}`],
])

const stale: string[] = []
for (const [path, text] of FILES) {
  const options = { ...(await resolveConfig(path)), filepath: path }
  const wanted = await format(HEAD + text, options)
  if ((await readFile(path, 'utf8').catch(() => '')) === wanted) continue
  stale.push(path)
  if (process.argv.includes('--check')) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, wanted)
}
if (process.argv.includes('--check')) {
  if (stale.length > 0) console.error(`Stale: ${stale.join(', ')}. Run: npx -y pnpm@12 generate:client`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else console.log(stale.length === 0 ? 'The client was up to date' : `Written: ${stale.join(', ')}`)
