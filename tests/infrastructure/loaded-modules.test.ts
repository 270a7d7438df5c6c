import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { COMPONENTS } from '@causeway/dev-env/platform/components'
import { startPlatform } from '@causeway/dev-env/platform/platform'

const folder = mkdtempSync(join(tmpdir(), 'causeway-modules-'))
const caches = mkdtempSync('node_modules/.cache-')
afterAll(() => {
  for (const used of [folder, caches]) rmSync(used, { recursive: true, force: true })
})

/**
 * Settings for a separate compile cache. Node identifies each file by a key of 32 bits, made from its path: in one checkout of a thousand
 * two files have the same, and one of the two is transpiled each time. Keys of relative paths are the same everywhere.
 */
const compileCache = (name: string) => ({
  NODE_COMPILE_CACHE: resolve(caches, name),
  NODE_COMPILE_CACHE_PORTABLE: '1',
})

/** Writes into the log of a process, when it ends, the packages that it has loaded, and whether the transpiler. */
const RECORDER = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  const packages = new Set()
  registerHooks({
    load(url, context, next) {
      packages.add(url.split('/node_modules/').at(-1))
      return next(url, context)
    },
  })
  process.on('exit', () => {
    const transpiles = process.moduleLoadList.some((name) => name.includes('internal/deps/amaro'))
    writeSync(2, '\\nloaded ' + JSON.stringify({ transpiles, packages: [...packages] }) + '\\n')
  })`)}`

type Loaded = Readonly<{ transpiles: boolean; packages: readonly string[] }>
/** The last such line of a log: the process or its supervisor may write another line after it. */
const loadedOf = (log: string): Loaded => {
  const [, json] = [...log.matchAll(/^loaded (.*)$/gm)].at(-1) ?? []
  return JSON.parse(json ?? '') as Loaded
}

/** Runs a whole platform. @returns the modules that its processes loaded */
const runPlatform = async (): Promise<Record<string, Loaded>> => {
  const env = { ...process.env, NODE_OPTIONS: `--import ${RECORDER}`, ...compileCache('platform') }
  const dataDir = join(folder, 'data')
  const platform = await startPlatform({ dataDir, ports: 'free', env, withPartner: false })
  await platform.stop()
  return Object.fromEntries(
    COMPONENTS.map((name) => [name, loadedOf(readFileSync(join(dataDir, 'logs', `${name}.log`), 'utf8'))]),
  )
}

/** `prom-client` requires the CommonJS build of OpenTelemetry's API. */
const UNUSED = /^(@opentelemetry\/(?!api\/dist\/.*\.cjs)|@aws-sdk\/|stripe\/|node-pg-migrate\/)/
const unusedIn = (loaded: Record<string, Loaded>) =>
  Object.values(loaded).flatMap(({ packages }) => packages.filter((path) => UNUSED.test(path)))

test('loads no code that a process does not use, no database driver in the gateway, and no transpiler after a first run', async () => {
  const first = await runPlatform()
  expect(Object.values(first).map(({ transpiles }) => transpiles)).toEqual(COMPONENTS.map(() => true))
  expect(unusedIn(first).join()).toContain('node-pg-migrate/')
  const second = await runPlatform()
  expect(second['payments']?.packages.join()).toContain('pg/lib/')
  expect(second['gateway']?.packages.filter((path) => /^pg\b/.test(path))).toEqual([])
  expect(unusedIn(second)).toEqual([])
  expect(Object.values(second).map(({ transpiles }) => transpiles)).toEqual(COMPONENTS.map(() => false))
})

test('includes the compiled code of every process in the image', () => {
  const env = { ...compileCache('image'), SANDBOX_PORT: 'none' }
  const run = (...args: string[]) => spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(run('deploy/warm-compile-cache.js')).toMatchObject({ status: 0, stderr: '' })
  const transpiling = globSync('{services/*,sandbox}/src/main.ts').filter(
    (main) => loadedOf(run('--import', RECORDER, main).stderr).transpiles,
  )
  expect(transpiling).toEqual([])
})
