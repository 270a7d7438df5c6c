import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Reads JSON that `writePrivateJson` wrote; null if the file does not exist. */
export const readPrivateJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Writes JSON that only the owner may read; a crash leaves the old file or the new one, never half of it. */
export const writePrivateJson = (path: string, value: unknown): void => {
  const draft = `${path}.new`
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
