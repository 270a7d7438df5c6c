import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type * as kit from '../src/index.ts'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, SourceTextModule } from 'node:vm'

type Kit = typeof kit
type Vector = {
  secrets: string[]
  headers: Record<string, string>
  body: string
  now: number
  tolerance_seconds: number
  expect: string
}

const PACKAGE = join(import.meta.dirname, '..')
const ROOT = join(PACKAGE, '..', '..')
let built: string

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'webhook-verifier-'))
  cpSync(join(PACKAGE, 'package.json'), join(built, 'package.json'))
  // With the DOM's types only: an API of Node would not compile.
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(tsc, [
    '-p',
    join(PACKAGE, 'tsconfig.build.json'),
    '--outDir',
    join(built, 'dist'),
  ])
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

const manifest = (): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as never

test('has no dependencies', () => {
  expect(manifest()).not.toHaveProperty('dependencies')
  expect(manifest()).not.toHaveProperty('peerDependencies')
  const imports = readdirSync(join(built, 'dist'))
    .filter((name) => name.endsWith('.js') || name.endsWith('.d.ts'))
    .flatMap((name) => [...readFileSync(join(built, 'dist', name), 'utf8').matchAll(/from '([^']+)'/g)])
  expect(imports.map(([, from]) => from).filter((from) => !from?.startsWith('./'))).toEqual([])
})

test('publishes plain JavaScript that Node imports without any flag', async () => {
  const file = join(built, 'dist', 'index.js')
  const script = `import { verify } from ${JSON.stringify(file)}
    verify('{}', {}, 'secret').catch((error) => console.log(error.code))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: {},
  })
  expect(stdout.trim()).toBe('missing_header')
})

/** Links the built files in a realm that has the globals of browsers but not those of Node. */
const importInBrowserRealm = async (): Promise<Kit> => {
  const context = createContext({ crypto, TextEncoder, TextDecoder, Uint8Array, Headers })
  const modules = new Map<string, SourceTextModule>()
  const load = (name: string): SourceTextModule => {
    const known = modules.get(name)
    if (known) return known
    const source = readFileSync(join(built, 'dist', name), 'utf8')
    const loaded = new SourceTextModule(source, { context, identifier: name })
    modules.set(name, loaded)
    return loaded
  }
  const entry = load('index.js')
  await entry.link((specifier) => load(specifier.slice('./'.length)))
  await entry.evaluate()
  return entry.namespace as never
}

test('gives every vector its expected result with only WebCrypto and the text codecs of browsers', async () => {
  const { verify } = await importInBrowserRealm()
  const { vectors } = JSON.parse(readFileSync(join(PACKAGE, 'vectors.json'), 'utf8')) as { vectors: Vector[] }
  const resultOf = async (vector: Vector): Promise<string> => {
    const options = { toleranceSeconds: vector.tolerance_seconds, now: new Date(vector.now * 1000) }
    try {
      await verify(vector.body, vector.headers, vector.secrets, options)
      return 'verified'
    } catch (error) {
      return (error as kit.VerificationError).code
    }
  }
  expect(await Promise.all(vectors.map(resultOf))).toEqual(vectors.map((vector) => vector.expect))
})
