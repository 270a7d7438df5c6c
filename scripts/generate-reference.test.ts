import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const folder = mkdtempSync(join(tmpdir(), 'causeway-reference-'))
const readPage = (name: string): string => readFileSync(join(folder, name), 'utf8')
let stderr: string

beforeAll(async () => {
  const script = join(import.meta.dirname, 'generate-reference.ts')
  const options = ['--conditions=platform-source', script, '--check', '--into', folder]
  stderr = (await promisify(execFile)(process.execPath, options)).stderr
})
afterAll(() => rmSync(folder, { recursive: true }))

test('keeps docs/reference up to date with the contracts, the settings and the log calls', () => {
  expect(stderr).toBe('')
})

test('generates the documents that git does not keep, with their contents', () => {
  const bus = JSON.parse(readPage('asyncapi.json')) as { operations: Record<string, unknown> }
  expect(Object.keys(bus.operations)).toContain('payments.crypto-orders.create')
  expect(readPage('cli.md')).toContain('\n## causeway listen\n')
  expect(readPage('receivers.md')).toContain('| answers a redirect, wherever it points: 301')
})
