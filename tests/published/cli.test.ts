import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { MODULE_SYSTEMS, pack, PACKERS, readTarball, runInProject } from './packing.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-published-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(PACKERS)('the command line, packed by %s', (packer) => {
  let tarball: string
  beforeAll(async () => {
    tarball = await pack('cli', packer, join(folder, packer))
  })

  test('passes publint', async () => {
    const { messages } = await publint({ pack: { tarball: readTarball(tarball).buffer }, strict: true })
    expect(messages).toEqual([])
  })

  test.each(MODULE_SYSTEMS)('runs in an empty project of type %s', async (type) => {
    const project = join(folder, packer + type)
    const used = runInProject(tarball, type, project, ['causeway', 'trigger', '--list', '--json'])
    expect(JSON.parse(await used)).toContainEqual({
      name: 'payment.confirmed',
      channel: 'partner',
      how: 'a crypto order is paid',
    })
    const installed = join(project, 'node_modules', '@causeway', 'cli')
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty(
      'dependencies',
    )
    const licences = readFileSync(join(installed, 'dist', 'LICENSES.txt'), 'utf8')
    expect([...licences.matchAll(/^([a-z-]+) [\d.]+, /gm)].map(([, name]) => name)).toEqual([
      'commander',
      'mute-stream',
      'read',
    ])
  })
})
