/**
 * Fills the image's compile cache (NODE_COMPILE_CACHE), so that no process loads the transpiler. Each entry file runs
 * with a bad setting, which it names once everything is loaded; what processes load later is imported here.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const SOURCES = '{packages/*,services/*,sandbox}/src'
const { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE } = process.env
const env = { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE, SANDBOX_PORT: 'none' }

for (const main of globSync('{services/*,sandbox}/src/main.ts')) {
  const { stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' })
  if (!stderr.includes('Bad settings: ')) throw new Error(`${main} did not load: ${stderr}`)
}

for (const file of globSync(join(SOURCES, '**/*.ts'), { exclude: ['**/*.test.ts'] })) {
  const later = readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)
  for (const [, path] of later) await import(resolve(dirname(file), path))
}
