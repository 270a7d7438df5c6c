import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A source file: its path from the repository's root, and its text. */
export type SourceFile = Readonly<{ path: string; text: string }>

/** Returns the product files of a folder, without tests. */
export const readSources = async (root: string, folder: string): Promise<SourceFile[]> => {
  const names = (await readdir(join(root, folder), { recursive: true })).sort()
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return Promise.all(
    sources.map(async (name) => {
      const path = `${folder}/${name}`
      return { path, text: await readFile(join(root, path), 'utf8') }
    }),
  )
}
