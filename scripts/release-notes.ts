/** `node scripts/release-notes.ts 1.2.3`: prints the section of CHANGELOG.md about a release of this version. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notesOf } from './releases/changelog.ts'

const root = join(import.meta.dirname, '..')
const [version = ''] = process.argv.slice(2)
const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}
if (version !== current) {
  console.error(`The tag says ${version || 'nothing'}, the packages say ${current}`)
  process.exit(1)
}
console.log(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version))
