/**
 * `pnpm release:keep`: stores what integrators are given now as the last release, which every later state of the
 * repository is compared with (scripts/releases). Run it when a version is published, never to silence that comparison.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describeApi, describeOperatorApi } from '../services/gateway/src/reference/openapi.ts'
import { LAST_RELEASE, RELEASED_BASE_URL } from './releases/last-release.ts'

const DOCUMENTS = {
  'openapi.json': describeApi(RELEASED_BASE_URL),
  'openapi.operator.json': describeOperatorApi(RELEASED_BASE_URL),
}

await mkdir(LAST_RELEASE, { recursive: true })
for (const [name, document] of Object.entries(DOCUMENTS))
  await writeFile(join(LAST_RELEASE, name), `${JSON.stringify(document)}\n`)
const KIT = join(import.meta.dirname, '..', 'packages', 'webhook-verifier')
await copyFile(join(KIT, 'vectors.json'), join(LAST_RELEASE, 'vectors.json'))

/** The kit as receivers have it: what is sent later must still pass through this very code. */
const keptKit = join(LAST_RELEASE, 'webhook-verifier')
await mkdir(keptKit, { recursive: true })
const sources = (await readdir(join(KIT, 'src'))).filter((name) => !name.endsWith('.test.ts'))
for (const name of sources) {
  const code = stripTypeScriptTypes(await readFile(join(KIT, 'src', name), 'utf8'))
  const linked = code.replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'")
  const text = await format(linked, { ...(await resolveConfig(KIT)), parser: 'babel' })
  await writeFile(join(keptKit, name.replace(/\.ts$/, '.js')), text)
}
console.log(`Kept in ${LAST_RELEASE}`)
