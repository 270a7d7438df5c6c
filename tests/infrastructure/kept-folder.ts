import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
const KEPT = join(ROOT, 'node_modules', '.cache')
const KEPT_FOR_MS = 24 * 60 * 60 * 1_000

const digestOf = (patterns: readonly string[]): string => {
  const hash = createHash('sha256').update(ROOT)
  for (const file of globSync([...patterns], { cwd: ROOT, exclude: ['**/*.test.ts'] }).sort())
    hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Returns a folder that is made once and kept from run to run, until a source changes.
 *
 * @param sources patterns of the files that it is made from
 * @param make makes it at the given path
 */
export const keptFolder = async (
  kind: string,
  sources: readonly string[],
  make: (path: string) => Promise<void>,
): Promise<string> => {
  const folder = join(KEPT, kind, digestOf(sources))
  if (existsSync(folder)) return folder
  mkdirSync(join(KEPT, kind), { recursive: true })
  for (const other of globSync(join(KEPT, kind, '*')))
    if (Date.now() - statSync(other).mtimeMs > KEPT_FOR_MS) rmSync(other, { recursive: true, force: true })
  const made = `${folder}.${process.pid}`
  await make(made)
  try {
    renameSync(made, folder)
  } catch {
    // Another worker has made the same.
    rmSync(made, { recursive: true })
  }
  return folder
}
