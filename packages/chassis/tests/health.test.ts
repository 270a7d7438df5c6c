import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { startHealthServer } from '../src/health.ts'

test('answers a probe with the version of the release', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const health = await startHealthServer({ host: '127.0.0.1', port: 0, ready: async () => true })
  try {
    const response = await fetch(`http://127.0.0.1:${health.port}/healthz`)
    expect(await response.json()).toEqual({ status: 'ok', version })
  } finally {
    await health.stop()
  }
})
