/** `node scripts/check-words.ts`: names the phrases of the word list in the repository, and what to write instead. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPhrases, isChecked } from './words/words.ts'

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => isChecked(path) && existsSync(join(root, path)))

for (const path of files)
  for (const { line, phrase, instead } of findPhrases(readFileSync(join(root, path), 'utf8'))) {
    console.log(`${path}:${line}: "${phrase}": write "${instead}" (STYLE.md, Words)`)
    process.exitCode = 1
  }
