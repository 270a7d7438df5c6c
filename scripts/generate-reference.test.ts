import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

test('docs/reference is up to date with the contracts, the route table and the settings', async () => {
  const script = join(import.meta.dirname, 'generate-reference.ts')
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--conditions=platform-source',
    script,
    '--check',
  ])
  expect(stderr).toBe('')
})
