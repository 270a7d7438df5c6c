import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestPlatform } from './platform.ts'

/** A page of the console, as whoever has the operator's key reads it. */
export const readConsole = async ({ baseUrl, operatorKey }: TestPlatform, path: string): Promise<string> => {
  const signedIn = await fetch(`${baseUrl}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ key: operatorKey }),
    redirect: 'manual',
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await fetch(`${baseUrl}${path}`, { headers: { cookie } })
  return page.text()
}

/** `pnpm signer:sweep` beside a platform. @returns what it says */
export const sweepNow = async ({ dataDir }: TestPlatform): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=platform-source', 'scripts/signer-sweep.ts'],
    { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } },
  )
  return stdout
}
