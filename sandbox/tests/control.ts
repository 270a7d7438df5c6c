import { request } from 'undici'
import type { Sandbox } from '../src/sandbox.ts'

export type Answer = { status: number; body: Record<string, unknown> }

/** Sends a request to the sandbox. A string `body` is sent unchanged, anything else as JSON. */
export const control = async (
  sandbox: Pick<Sandbox, 'url'>,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Answer> => {
  const answer = await request(`${sandbox.url()}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> }
}
