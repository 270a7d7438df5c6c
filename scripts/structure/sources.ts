import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceFile } from './rooms.ts'

/** The product files of a folder, tests left out. */
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
