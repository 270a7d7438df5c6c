import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..')
const TIMEOUT_MS = 120_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

type Component = Readonly<{ name: string; group?: string; version: string; 'bom-ref': string }>
type Dependency = Readonly<{ ref: string; dependsOn?: readonly string[] }>

/** A CycloneDX document, as far as it is read here. */
export type Bill = Readonly<{
  serialNumber: string
  metadata: Readonly<{ timestamp?: string }>
  components: readonly Component[]
  dependencies: readonly Dependency[]
}>

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** A version 8 UUID (RFC 9562 §5.8) of the content, so that the same content has the same serial number. */
const serialNumberOf = (content: string): string => {
  const hex = createHash('sha256').update(content).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The same document without the moment at which it was made, and in one order. */
export const inOneOrder = (made: Bill): Bill => {
  const { timestamp: _moment, ...metadata } = made.metadata
  const content = {
    ...made,
    metadata,
    components: made.components.toSorted((a, b) => compare(a['bom-ref'], b['bom-ref'])),
    dependencies: made.dependencies
      .map((each) => ({ ...each, dependsOn: (each.dependsOn ?? []).toSorted(compare) }))
      .sort((a, b) => compare(a.ref, b.ref)),
  }
  const { serialNumber: _random, ...rest } = content
  return { ...content, serialNumber: serialNumberOf(JSON.stringify(rest)) }
}

/**
 * Everything that production runs, as the package manager reads it from the lockfile.
 * @throws when the package manager cannot be run or answers something else
 */
export const billOfMaterials = async (): Promise<Bill> => {
  const asked = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--prod',
    '--lockfile-only',
  ]
  const running = process.env['npm_execpath']
  const [command, ...before] = running === undefined ? (['npx', '-y', 'pnpm@12'] as const) : [running]
  const { stdout } = await promisify(execFile)(command, [...before, ...asked], {
    cwd: root,
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return inOneOrder(JSON.parse(stdout) as Bill)
}
