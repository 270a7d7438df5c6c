/** `node scripts/check-words.ts`: names the phrases of the word list in the folders that are free of them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLEAN_FOLDERS, findPhrases } from './words/words.ts'

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-z', ...CLEAN_FOLDERS], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => /\.(?:ts|md)$/.test(path) && existsSync(join(root, path)))
  .filter((path) => !path.startsWith('scripts/words/'))

for (const path of files)
  for (const { line, phrase } of findPhrases(readFileSync(join(root, path), 'utf8'))) {
    console.log(`${path}:${line}: "${phrase}": write it in plain English (STYLE.md, Words)`)
    process.exitCode = 1
  }
