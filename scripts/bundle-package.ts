/**
 * `prepack` of the packages that are run and not imported: bundles `src/main.ts` of the working folder, with all that it
 * uses, as `dist/<name of its bin>.js`, and writes the licences of the bundled code next to it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Bundler = Readonly<{
  build: (options: object) => Promise<{ metafile: { inputs: Record<string, unknown> } }>
}>
type Manifest = Readonly<{ name: string; version: string; license?: string; private?: boolean }>

const FOLDER = process.cwd()
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest
const manifest = read(join(FOLDER, 'package.json')) as Manifest & { bin: Record<string, string> }
const [name = ''] = Object.keys(manifest.bin)

/** The packages from npm that a bundle holds, by their folders. */
const packagesOf = (inputs: readonly string[]): string[] => [
  ...new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [])),
]

const licenceOf = (folder: string): string => {
  const { name: of, version, license = '' } = read(join(folder, 'package.json'))
  const text = readFileSync(join(folder, 'LICENSE'), 'utf8').trim()
  return `${of} ${version}, ${license}\n\n${text}\n`
}

rmSync('dist', { recursive: true, force: true })
// A dependency of the package alone.
const { build } = createRequire(join(FOLDER, 'package.json'))('esbuild') as Bundler
const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outfile: `dist/${name}.js`,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.17',
  conditions: ['platform-source'],
  metafile: true,
  // Packages of CommonJS ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
  },
})
const licences = packagesOf(Object.keys(metafile.inputs)).map((folder) => licenceOf(join(FOLDER, folder)))
writeFileSync('dist/LICENSES.txt', licences.sort().join(`\n${'-'.repeat(80)}\n\n`))
