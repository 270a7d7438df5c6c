import { eventually } from '@causeway/chassis/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'
import { startServerProcess } from '@causeway/dev-env/infrastructure/server-process'

/** A real node on a separate chain, whose blocks are mined on demand. Bitcoin differs in names and parameters. */
export type LitecoinNode = Readonly<{
  /** With user and password, as in `LTC_NODE_URLS`. */
  url: string
  /** @throws Error with the node's own message */
  rpc: <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>
  /** The same for a wallet; without a name for the one that has the mined coins. */
  wallet: <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>
  walletOf: (name: string) => LitecoinNode['wallet']
  /** Mines blocks with what waits in the mempool; gives their hashes. */
  mine: (count: number) => Promise<string[]>
  stop: () => Promise<void>
}>

const program = findProgram(['litecoind'], process.env['PATH'] ?? '')
export const hasLitecoinNode = program !== null
/** For titles of tests that need it. */
export const onLitecoinNode = hasLitecoinNode
  ? 'a real node'
  : 'a real node (skipped: litecoind is not on PATH; Debian: apt-get install litecoind)'

const USER = 'test'
const PASSWORD = 'loopback'
const MAIN_WALLET = 'miner'
/** A coinbase is spendable after 100 more blocks. */
const FIRST_BLOCKS = 120

const call = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const { body } = await request(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}` },
    body: JSON.stringify({ id: 0, method, params }),
  })
  const { result, error } = (await body.json()) as {
    result: unknown
    error: { message: string; code: number } | null
  }
  if (error) throw Object.assign(new Error(`${method}: ${error.message}`), { code: error.code })
  return result
}

/** Starts litecoind in regtest on free ports with a separate folder, and mines spendable coins. */
export const startLitecoinNode = async (): Promise<LitecoinNode> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-litecoin-'))
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const server = await startServerProcess({
    command: program ?? 'litecoind',
    args: [
      ...['-regtest', `-datadir=${folder}`, '-server', '-printtoconsole=0', '-fallbackfee=0.001'],
      ...['-listen=0', '-dnsseed=0', '-discover=0', '-connect=0'],
      ...['-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', `-rpcport=${port}`],
      ...[`-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`],
      // Litecoin replaces nothing by default.
      ...['-mempoolreplacement=1', '-walletrbf=1'],
    ],
    logFile: join(folder, 'log'),
    stopSignal: 'TERM',
  })
  const rpc = <T>(method: string, ...params: readonly unknown[]) =>
    call(`http://${address}/`, method, params) as Promise<T>
  const walletOf =
    (name: string) =>
    <T>(method: string, ...params: readonly unknown[]) =>
      call(`http://${address}/wallet/${name}`, method, params) as Promise<T>
  const wallet = walletOf(MAIN_WALLET)
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await eventually(async () => {
      if (!server.running()) return { ended: await server.exited }
      return { height: await rpc<number>('getblockcount') }
    }).then((seen) => {
      if ('ended' in seen) throw new Error(`litecoind ended with ${seen.ended}`)
    })
    await rpc('createwallet', MAIN_WALLET)
    const miner = await wallet<string>('getnewaddress')
    const mine = (count: number) => rpc<string[]>('generatetoaddress', count, miner)
    await mine(FIRST_BLOCKS)
    return { url: `http://${USER}:${PASSWORD}@${address}`, rpc, wallet, walletOf, mine, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
