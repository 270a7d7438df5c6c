import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const STARTS_WITHIN_MS = 60_000

/** Path of the package's binary for this platform; null if it has none. */
const binary = (): string | null => {
  const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return createRequire(wrapper).resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`)
  } catch {
    return null
  }
}

/** Checks whether an Ethereum node for tests exists on this platform. */
export const hasAnvil = (): boolean => binary() !== null

/** The address that the node says it listens on, among its first lines. */
const addressOf = async (output: Readable): Promise<string> => {
  const lines = createInterface({ input: output, signal: AbortSignal.timeout(STARTS_WITHIN_MS) })
  for await (const line of lines) {
    const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
    if (address === undefined) continue
    // What it writes from now on is read and forgotten, so that it never waits for a reader.
    output.resume()
    return `http://${address}`
  }
  throw new Error('anvil did not say where it listens')
}

export type Anvil = Readonly<{
  url: string
  /** @throws Error with the node's message */
  ask: <T>(method: string, ...params: unknown[]) => Promise<T>
  stop: () => Promise<void>
}>

/** A real Ethereum node of our own on loopback, which mines on demand only. */
export const startAnvil = async (chainId: number): Promise<Anvil> => {
  const path = binary()
  if (path === null) throw new Error('@foundry-rs/anvil has no binary for this platform')
  const child = spawn(
    path,
    ['--port', '0', '--no-mining', '--chain-id', String(chainId), '--accounts', '2'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const url = await addressOf(child.stdout)
  return {
    url,
    ask: async <T>(method: string, ...params: unknown[]) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const answer = (await response.json()) as { result: T; error?: { message: string } }
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
      return answer.result
    },
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
