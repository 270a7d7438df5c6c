import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMPONENTS, mainOf, type ComponentName } from '@causeway/dev-env/platform/components'
import { build, type Plugin } from 'esbuild'
import { keptFolder } from './kept-folder.ts'

const NAMES: readonly ComponentName[] = [...COMPONENTS, 'signer']

const SOURCES = [
  '{packages/*,services/*,sandbox}/{src/**/*.{ts,json},package.json}',
  'pnpm-lock.yaml',
  'tests/infrastructure/service-bundles.ts',
]
const OURS = /\/(packages|services|sandbox)\/.*\.ts$/
/** Packages of many files that processes load at their start. The others are loaded from their own folders. */
const BUNDLED =
  /^(@causeway\/|@nats-io\/|@noble\/|@opentelemetry\/api$|@scure\/|express$|jose$|pg$|pino$|prom-client$|qrcode$|undici$|zod$)/
/** Marks a resolution as this plugin's own. */
const RESOLVING = 'resolving'

const fromTheirFolders: Plugin = {
  name: 'from-their-folders',
  setup(bundler) {
    bundler.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const isOther = OURS.test(importer) && !importer.includes('/node_modules/') && !BUNDLED.test(path)
      if (!isOther || pluginData === RESOLVING || path.startsWith('node:')) return undefined
      const found = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING })
      return found.errors.length > 0 ? found : { path: found.path, external: true }
    })
    bundler.onLoad({ filter: OURS }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const source = readFileSync(path, 'utf8')
      const url = JSON.stringify(pathToFileURL(path).href)
      if (source.includes('import.meta.resolve')) return { contents: `export * from ${url}` }
      const contents = source
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { contents, loader: 'ts' }
    })
  },
}

const bundleInto = async (folder: string): Promise<void> => {
  await build({
    entryPoints: Object.fromEntries(NAMES.map((name) => [name, mainOf(name)])),
    outdir: folder,
    bundle: true,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    external: ['file:*'],
    plugins: [fromTheirFolders],
    logLevel: 'error',
    // Packages of CommonJS ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
  })
}

/**
 * The entry files of all components, bundled with what they import: a process that loads a few files instead of 700 takes
 * half of the CPU to start. A bundle runs the same source, but no load hook or instrumentation can change its modules. It
 * is kept from run to run until a source changes.
 */
export const bundledMains = async (): Promise<Record<ComponentName, string>> => {
  const folder = await keptFolder('service-bundles', SOURCES, bundleInto)
  return Object.fromEntries(NAMES.map((name) => [name, join(folder, `${name}.js`)])) as Record<
    ComponentName,
    string
  >
}
