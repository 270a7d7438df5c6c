/**
 * `pnpm bill-of-materials`: writes every production dependency, with its version, hash and what it depends on, to
 * dist/causeway.cdx.json (CycloneDX 1.7). The package manager makes it from the lockfile; the same lockfile gives the
 * same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from './supply-chain/bill-of-materials.ts'

const folder = join(import.meta.dirname, '..', 'dist')
const file = join(folder, 'causeway.cdx.json')
const bill = await billOfMaterials()
mkdirSync(folder, { recursive: true })
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
console.log(`${bill.components.length} components: ${file}`)
