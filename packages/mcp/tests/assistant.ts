import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')

/** Where a program to start is, and what it is given. */
export type Program = Readonly<{ command: string; args: readonly string[] }>
const SOURCE: Program = { command: process.execPath, args: ['--conditions=platform-source', MAIN] }

type Result = {
  isError?: boolean
  content: readonly { type: string; text?: string }[]
  structuredContent?: unknown
}
const OLD = { mode: 'legacy' } as const
const NEW = { mode: { pin: '2026-07-28' } } as const

/**
 * Starts the program as an assistant does, with the SDK's own client.
 * @param env all of its environment
 * @param protocol of 2025, with a handshake, or of 2026, without one
 */
export const startAssistant = async (
  env: Readonly<Record<string, string>>,
  {
    protocol = OLD,
    program = SOURCE,
  }: Readonly<{ protocol?: typeof OLD | typeof NEW; program?: Program }> = {},
) => {
  const { command, args } = program
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe' })
  let log = ''
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: protocol })
  await client.connect(transport)
  return {
    client,
    /** Returns the program's output on stderr. */
    log: () => log,
    tools: async () => (await client.listTools()).tools,
    call: async (name: string, input: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: input })) as Result,
    stop: () => client.close(),
  }
}
export type Assistant = Awaited<ReturnType<typeof startAssistant>>
export { NEW, OLD }
