import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import JestRuntime from 'jest-runtime'

/** Its types are those of a CommonJS module, which it is not when it is imported. */
const Runtime = JestRuntime as unknown as typeof JestRuntime.default
type Globals = Parameters<JestRuntime.default['setGlobalsForRuntime']>[0]

/** Packages without state that are slow to load, because they build many schemas: loaded once in a worker. */
const SHARED = /\/packages\/(contracts|screens)\/src\/.*(?<!\.test)\.ts$/

/** A module's address names the test file that it is loaded for. */
const OF_FILE = /[?&]test-file=(\d+)$/
const fileOf = (url: string | undefined): string | undefined => OF_FILE.exec(url ?? '')?.[1]

const names = 'afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test'
const GLOBALS = `data:text/javascript,export const { ${names} } = globalThis.testGlobals//`

const sources = new Map<string, string>()
/** Reads a source without its types, once in a worker: modules are loaded again for each test file. */
const sourceOf = (path: string): string => {
  const known = sources.get(path)
  if (known !== undefined) return known
  const source = stripTypeScriptTypes(readFileSync(path, 'utf8'))
  sources.set(path, source)
  return source
}

registerHooks({
  resolve(specifier, context, next) {
    const file = fileOf(context.parentURL)
    if (file === undefined) return next(specifier, context)
    if (specifier === '@jest/globals')
      return { url: `${GLOBALS}${file}`, format: 'module', shortCircuit: true }
    const found = next(specifier, context)
    const isOurs =
      found.url.endsWith('.ts') && !found.url.includes('/node_modules/') && !SHARED.test(found.url)
    return isOurs ? { ...found, url: `${found.url}?test-file=${file}` } : found
  },
  load: (url, context, next) =>
    fileOf(url) === undefined
      ? next(url, context)
      : { format: 'module', source: sourceOf(fileURLToPath(url)), shortCircuit: true },
})

let files = 0

/**
 * Loads test files and what they import by Node itself, as processes do, instead of by jest's module system, which compiles
 * every module for each test file. Modules of the workspace are still loaded anew for each file, so that no file sees the
 * state of another; packages, and what has no state, once in a worker.
 */
export default class NativeRuntime extends Runtime {
  private readonly file = (files += 1)
  private readonly environment: ConstructorParameters<typeof Runtime>[1]
  private readonly env = { ...process.env }
  private readonly console = globalThis.console

  constructor(...options: ConstructorParameters<typeof Runtime>) {
    super(...options)
    this.environment = options[1]
    // Jest's own modules run in a context whose `String` or `Date` is another: `expect.any(Date)` compares them.
    for (const name of Object.getOwnPropertyNames(this.environment.global)) {
      const own: unknown = Reflect.get(globalThis, name)
      if (typeof own === 'function' && /^[A-Z]/.test(name)) Reflect.set(this.environment.global, name, own)
    }
    globalThis.console = this.environment.global.console
  }

  override setGlobalsForRuntime(globals: Globals): void {
    super.setGlobalsForRuntime(globals)
    const { moduleMocker } = this.environment
    const jest = {
      fn: moduleMocker?.fn.bind(moduleMocker),
      spyOn: moduleMocker?.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker?.restoreAllMocks(),
    }
    Reflect.set(globalThis, 'testGlobals', { ...globals, jest })
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true
  }

  override async unstable_importModule(path: string): Promise<unknown> {
    return import(`${pathToFileURL(path).href}?test-file=${this.file}`)
  }

  override teardown(): void {
    super.teardown()
    globalThis.console = this.console
    for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, this.env)
  }
}
