import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

test('keeps the receiver kit’s types, test vectors and page up to date with the contracts and the signing code', async () => {
  const script = join(import.meta.dirname, 'generate-webhook-kit.ts')
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check'])
  expect(stderr).toBe('')
})
