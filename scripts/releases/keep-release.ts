import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describeApi, describeOperatorApi } from '@causeway/reference'
import { RELEASED_BASE_URL, RELEASES } from './last-release.ts'

const KIT = join(import.meta.dirname, '..', '..', 'packages', 'webhook-verifier')

/** The kit as receivers have it: what is sent later must still pass through this very code. */
const keepKit = async (folder: string): Promise<void> => {
  await mkdir(folder)
  const sources = (await readdir(join(KIT, 'src'))).filter((name) => !name.endsWith('.test.ts'))
  for (const name of sources) {
    const code = stripTypeScriptTypes(await readFile(join(KIT, 'src', name), 'utf8'))
    const linked = code.replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'")
    const text = await format(linked, { ...(await resolveConfig(KIT)), parser: 'babel' })
    await writeFile(join(folder, name.replace(/\.ts$/, '.js')), text)
  }
}

/**
 * Stores what integrators are given now as the last release, which every later state of the repository is compared with,
 * in place of the release before.
 */
export const keepRelease = async (version: string): Promise<void> => {
  const documents = {
    'openapi.json': describeApi(RELEASED_BASE_URL),
    'openapi.operator.json': describeOperatorApi(RELEASED_BASE_URL),
  }
  await rm(RELEASES, { recursive: true })
  const folder = join(RELEASES, version)
  await mkdir(folder, { recursive: true })
  for (const [name, document] of Object.entries(documents))
    await writeFile(join(folder, name), `${JSON.stringify(document)}\n`)
  await copyFile(join(KIT, 'vectors.json'), join(folder, 'vectors.json'))
  await keepKit(join(folder, 'webhook-verifier'))
}
