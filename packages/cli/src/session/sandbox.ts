import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

/** The control endpoints of a sandbox (sandbox/README.md). */
export type Sandbox = Readonly<{
  now: () => Promise<string>
  control: (path: string, body: unknown) => Promise<Readonly<Record<string, unknown>>>
}>

const TIMEOUT_MS = 60_000

type Refusal = { error?: { code: string; message: string } }

/** @throws CliError when it refuses, or does not answer */
export const createSandbox = (baseUrl: string): Sandbox => {
  const send = async (path: string, init: RequestInit): Promise<Readonly<Record<string, unknown>>> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(`${baseUrl}/control/${path}`, { ...init, signal }).catch(() => {
      throw new CliError(
        `No sandbox answers at ${baseUrl}: start the platform, or set CAUSEWAY_SANDBOX_URL`,
        EXIT.unavailable,
      )
    })
    const body = (await answer.json().catch(() => ({}))) as Refusal & Record<string, unknown>
    if (answer.ok) return body
    throw new CliError(
      body.error === undefined
        ? `The sandbox at ${baseUrl} answered ${answer.status} to /control/${path}`
        : `${answer.status} ${body.error.code}: ${body.error.message}`,
    )
  }
  return {
    now: async () => String((await send('clock', {}))['now']),
    control: (path, body) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}
