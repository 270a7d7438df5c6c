import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

test('the receiver kit has the types of the contracts, the vectors of the signing code and a page with its examples', async () => {
  const script = join(import.meta.dirname, 'generate-webhook-kit.ts')
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check'])
  expect(stderr).toBe('')
})
