import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { startAssistant } from '../../packages/mcp/tests/assistant.ts'
import { startRecordingApi } from '../../packages/mcp/tests/recording-api.ts'
import { install, pack, PACKERS, readTarball } from './packing.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-published-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(PACKERS)('installs alone, packed by %s, and answers an assistant', async (packer) => {
  const tarball = await pack('mcp', packer, join(folder, packer))
  const { messages } = await publint({ pack: { tarball: readTarball(tarball).buffer }, strict: true })
  expect(messages).toEqual([])
  const project = join(folder, `${packer}-assistant`)
  await install(project, 'commonjs', [tarball])
  const installed = join(project, 'node_modules', '@causeway', 'mcp')
  expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')
  const licences = readFileSync(join(installed, 'dist', 'LICENSES.txt'), 'utf8')
  expect(licences).toContain('@modelcontextprotocol/server ')
  const api = await startRecordingApi()
  api.setData({ webhooks: [] })
  const program = { command: join(project, 'node_modules', '.bin', 'causeway-mcp'), args: [] }
  const env = { PATH: process.env['PATH'] ?? '', CAUSEWAY_BASE_URL: api.baseUrl, CAUSEWAY_API_KEY: 'mk_1' }
  const assistant = await startAssistant(env, { program })
  expect(await assistant.call('listWebhooks')).toMatchObject({ structuredContent: { webhooks: [] } })
  await assistant.stop()
  await api.stop()
})
