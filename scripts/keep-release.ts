/**
 * `pnpm release:keep`: stores what integrators are given now as the last release, which every later state of the
 * repository is compared with (scripts/releases). Run it when a version is published, never to silence that comparison.
 */
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeApi, describeOperatorApi } from '../services/gateway/src/reference/openapi.ts'
import { LAST_RELEASE, RELEASED_BASE_URL } from './releases/last-release.ts'

const DOCUMENTS = {
  'openapi.json': describeApi(RELEASED_BASE_URL),
  'openapi.operator.json': describeOperatorApi(RELEASED_BASE_URL),
}

await mkdir(LAST_RELEASE, { recursive: true })
for (const [name, document] of Object.entries(DOCUMENTS))
  await writeFile(join(LAST_RELEASE, name), `${JSON.stringify(document)}\n`)
await copyFile(
  join(import.meta.dirname, '..', 'packages', 'webhook-verifier', 'vectors.json'),
  join(LAST_RELEASE, 'vectors.json'),
)
console.log(`Kept in ${LAST_RELEASE}`)
