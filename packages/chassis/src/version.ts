import { readFileSync } from 'node:fs'

/** The release: every package of the repository has the same version. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
