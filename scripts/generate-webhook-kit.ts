/**
 * `pnpm generate:webhook-kit`: generates the parts of the receiver kit that have their source elsewhere: the events'
 * types from the contracts, the test vectors, and the examples in its pages. `--check` writes nothing and names the
 * stale files.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { declareEvents } from './webhook-kit/declared-types.ts'
import { writeVectors } from './webhook-kit/vectors.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'packages', 'webhook-verifier')
const PAGES = [join(ROOT, 'docs', 'RECEIVING.md'), join(FOLDER, 'README.md')]

const formatted = async (path: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(path)), filepath: path })

/** A page with each example's source in the code block of that name. */
const withExamples = async (path: string): Promise<string> => {
  const blocks = /(```\w+ (\w+\.(?:ts|py|go))\n)[^]*?```/g
  const page = await readFile(path, 'utf8')
  const names = [...page.matchAll(blocks)].map(([, , name = '']) => name)
  const examples = new Map<string, string>()
  for (const name of names) examples.set(name, await readFile(join(FOLDER, 'examples', name), 'utf8'))
  return page.replace(blocks, (_, fence: string, name: string) => `${fence}${examples.get(name) ?? ''}\`\`\``)
}

const FILES = new Map([
  [join(FOLDER, 'src', 'events.ts'), declareEvents()],
  [join(FOLDER, 'vectors.json'), writeVectors()],
])
for (const page of PAGES) FILES.set(page, await withExamples(page))

const stale: string[] = []
for (const [path, text] of FILES) {
  const wanted = await formatted(path, text)
  if ((await readFile(path, 'utf8').catch(() => '')) === wanted) continue
  stale.push(path)
  if (!process.argv.includes('--check')) await writeFile(path, wanted)
}
if (process.argv.includes('--check')) {
  if (stale.length > 0) console.error(`Stale: ${stale.join(', ')}. Run: npx -y pnpm@12 generate:webhook-kit`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else console.log(stale.length === 0 ? 'The kit was up to date' : `Written: ${stale.join(', ')}`)
