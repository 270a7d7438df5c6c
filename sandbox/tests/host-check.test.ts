import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { request } from 'undici'
import { startSandbox } from '../src/testing/index.ts'

test('answers 421 to foreign host names on every port, with files that only their owner can read', async () => {
  const dataFolder = join(mkdtempSync(join(tmpdir(), 'causeway-sandbox-')), 'sandbox')
  const publicUrl = 'https://pay.sandbox.example'
  const sandbox = await startSandbox({ chainPort: 0, cardPort: 0, onrampPort: 0, publicUrl, dataFolder })
  try {
    const statusOf = async (url: string, host: string): Promise<number> => {
      const { statusCode, body } = await request(`${url}/control/nothing`, { headers: { host } })
      await body.dump()
      return statusCode
    }
    const urls = [sandbox.url(), sandbox.chainUrl(), sandbox.cardUrl(), sandbox.onrampUrl()]
    for (const url of urls) {
      const hosts = ['127.0.0.1:8090', 'localhost', '[::1]:1', 'sandbox:8091', 'pay.sandbox.example']
      for (const host of hosts) expect([url, host, await statusOf(url, host)]).toEqual([url, host, 404])
      for (const host of ['rebound.example', '10.0.0.1', '127.0.0.1.nip.example', 'a b'])
        expect([url, host, await statusOf(url, host)]).toEqual([url, host, 421])
    }
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
    const modes = readdirSync(dataFolder).map((name) => statSync(join(dataFolder, name)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600, 0o600])
  } finally {
    await sandbox.stop()
    rmSync(join(dataFolder, '..'), { recursive: true, force: true })
  }
})
