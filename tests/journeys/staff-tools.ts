import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { SharedPlatform } from './platform.ts'

/** Reads a page of the console with the operator's key. */
export const readConsole = async (
  { baseUrl, operatorKey }: SharedPlatform,
  path: string,
): Promise<string> => {
  const signedIn = await fetch(`${baseUrl}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ key: operatorKey }),
    redirect: 'manual',
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await fetch(`${baseUrl}${path}`, { headers: { cookie } })
  return page.text()
}

/** Runs `pnpm signer:sweep` for a running platform. @returns its output */
export const sweepNow = async ({ dataDir }: SharedPlatform): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=platform-source', 'scripts/signer-sweep.ts'],
    { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } },
  )
  return stdout
}
