import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

test('keeps the client’s types and operations, and the MCP server’s tools, up to date with the OpenAPI document', async () => {
  const script = join(import.meta.dirname, 'generate-client.ts')
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check'])
  expect(stderr).toBe('')
})
