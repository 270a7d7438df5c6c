import { transform } from '@swc/core'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, SourceTextModule } from 'node:vm'
import type * as published from '../src/index.ts'
import { data, startServer, type Server } from './misbehaving-server.ts'

const PACKAGE = join(import.meta.dirname, '..')
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const MAX_BYTES = 19 * 1024

let built: string
let server: Server
beforeAll(async () => {
  server = await startServer()
  built = mkdtempSync(join(tmpdir(), 'causeway-client-'))
  cpSync(join(PACKAGE, 'package.json'), join(built, 'package.json'))
  // With the DOM's types only: an API of Node would not compile.
  const out = ['--outDir', join(built, 'dist')]
  await promisify(execFile)(process.execPath, [TSC, '-p', join(PACKAGE, 'tsconfig.build.json'), ...out])
})
afterAll(async () => {
  rmSync(built, { recursive: true, force: true })
  await server.stop()
})

const scripts = () =>
  readdirSync(join(built, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(built, 'dist', name), 'utf8'))

test('has no dependencies', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('peerDependencies')
  const imports = scripts().flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from))
  expect(imports.filter((from) => from?.startsWith('.') !== true)).toEqual([])
})

test(`keeps the minified files below ${MAX_BYTES} bytes in total`, async () => {
  const minified = await Promise.all(
    scripts().map((text) =>
      transform(text, {
        minify: true,
        jsc: { target: 'es2022', minify: { compress: true, mangle: true } },
        isModule: true,
      }),
    ),
  )
  const bytes = minified.reduce((sum, { code }) => sum + Buffer.byteLength(code.replace(/\/\/# .*/, '')), 0)
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes).toBeLessThan(MAX_BYTES)
})

/** Links the built files in a realm that has the globals of browsers and workers, but not those of Node. */
const importInBrowserRealm = async (): Promise<typeof published> => {
  const globals = {
    fetch,
    Headers,
    Response,
    Request,
    URL,
    URLSearchParams,
    AbortController,
    AbortSignal,
    FormData,
    Blob,
    ReadableStream,
    TextEncoder,
    crypto,
    performance,
    setTimeout,
    clearTimeout,
    Uint8Array,
  }
  const context = createContext(globals)
  const modules = new Map<string, SourceTextModule>()
  const load = (path: string): SourceTextModule => {
    const known = modules.get(path)
    if (known) return known
    const source = readFileSync(path, 'utf8')
    const loaded = new SourceTextModule(source, { context, identifier: path })
    modules.set(path, loaded)
    return loaded
  }
  const entry = load(join(built, 'dist', 'index.js'))
  await entry.link((specifier, from) => load(join(dirname(from.identifier), specifier)))
  await entry.evaluate()
  return entry.namespace as never
}

test('gets a token, calls, uploads and reports errors with browser globals only', async () => {
  const { createPartnerClient, ApiError } = await importInBrowserRealm()
  const client = createPartnerClient({ baseUrl: server.baseUrl, clientId: 'cli_1', clientSecret: 's' })
  server.will(data({ capabilities: [] }))
  expect(await client.listCapabilities({ customerId: 'a' })).toEqual({ capabilities: [] })
  const body = { document_type: 'other' as const, file: new Blob(['x']) }
  await client.uploadDocument({ customerId: 'a', body })
  expect(server.hits[1]?.headers['content-type']).toMatch(/^multipart\/form-data/)
  server.will((response) => response.writeHead(404).end())
  expect(await client.listWebhookSubscriptions().catch((error: unknown) => error)).toBeInstanceOf(ApiError)
})
