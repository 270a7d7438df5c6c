import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { NodeCalls } from '../node-calls.ts'

/** Blocks that transactions are looked for in, from the newest. */
const SEARCHED = 40

type Found = Readonly<{ txid: string; vin: readonly { txid?: string; vout?: number }[] }>

/** The transaction that the test is true of, in the newest blocks or waiting. */
const find = async (node: NodeCalls, test: (transaction: Found) => boolean) => {
  const tip = await node.rpc<number>('getblockcount')
  for (let height = tip; height > Math.max(tip - SEARCHED, 0); height--) {
    const hash = await node.rpc<string>('getblockhash', height)
    const found = (await node.rpc<{ tx: Found[] }>('getblock', hash, 2)).tx.find(test)
    if (found) return { hash, txid: found.txid, status: { confirmed: true, block_height: height } }
  }
  for (const txid of await node.rpc<string[]>('getrawmempool'))
    if (test(await node.rpc<Found>('getrawtransaction', txid, true)))
      return { hash: undefined, txid, status: { confirmed: false } }
  return null
}

/** Reads a transaction: a node without an index finds a mined one only with its block. */
const rawOf = async (node: NodeCalls, txId: string) => {
  const found = await find(node, ({ txid }) => txid === txId)
  return hexOf(node, 'getrawtransaction', txId, false, ...(found?.hash === undefined ? [] : [found.hash]))
}

const coinsAt = async (node: NodeCalls, address: string) => {
  type Coin = { txid: string; vout: number; amount: number; height: number }
  const { unspents } = await node.rpc<{ unspents: Coin[] }>('scantxoutset', 'start', [`addr(${address})`])
  return unspents.map(({ txid, vout, amount, height }) => ({
    ...{ txid, vout, value: Math.round(amount * 1e8) },
    status: { confirmed: true, block_height: height },
  }))
}

/** A base address in the form of Esplora's servers, with a path. */
export type EsploraServer = Readonly<{ url: string; stop: () => Promise<void> }>

type Route = (node: NodeCalls, argument: string) => Promise<string | Buffer>

const hexOf = async (node: NodeCalls, method: string, ...params: readonly unknown[]) =>
  Buffer.from(await node.rpc<string>(method, ...params), 'hex')

/** Paths of Esplora's API.md, answered from the node. */
const ROUTES: readonly (readonly [RegExp, Route])[] = [
  [/^\/blocks\/tip\/hash$/, (node) => node.rpc<string>('getbestblockhash')],
  [/^\/block-height\/(\d+)$/, (node, height) => node.rpc<string>('getblockhash', Number(height))],
  [/^\/block\/([0-9a-f]{64})\/header$/, (node, hash) => node.rpc<string>('getblockheader', hash, false)],
  [/^\/block\/([0-9a-f]{64})\/raw$/, (node, hash) => hexOf(node, 'getblock', hash, 0)],
  [
    /^\/block\/([0-9a-f]{64})$/,
    async (node, hash) => {
      const { height } = await node.rpc<{ height: number }>('getblockheader', hash)
      return JSON.stringify({ id: hash, height })
    },
  ],
  [/^\/mempool\/txids$/, async (node) => JSON.stringify(await node.rpc('getrawmempool'))],
  [/^\/tx\/([0-9a-f]{64})\/raw$/, rawOf],
  [/^\/fee-estimates$/, () => Promise.resolve('{"3":12.5}')],
  [/^\/address\/(\w+)\/utxo$/, async (node, address) => JSON.stringify(await coinsAt(node, address))],
  [
    /^\/tx\/([0-9a-f]{64})\/status$/,
    async (node, txId) => {
      const found = await find(node, ({ txid }) => txid === txId)
      if (!found) throw new Error('Transaction not found')
      return JSON.stringify(found.status)
    },
  ],
  [
    /^\/tx\/([0-9a-f]{64}\/outspend\/\d+)$/,
    async (node, outpoint) => {
      const [txId, , index] = outpoint.split('/')
      const spender = await find(node, ({ vin }) =>
        vin.some(({ txid, vout }) => txid === txId && vout === Number(index)),
      )
      return JSON.stringify({ spent: spender !== null, ...spender })
    },
  ],
]

/** Responds; a refusal of the node is 400 with the text of its error. */
const send = async (node: NodeCalls, request: IncomingMessage, response: ServerResponse) => {
  try {
    response.end(await node.rpc<string>('sendrawtransaction', await text(request)))
  } catch (error) {
    const { message, code = 0 } = error as Error & { code?: number }
    const told = JSON.stringify({ code, message: message.replace(/^sendrawtransaction: /, '') })
    response.writeHead(400).end(`sendrawtransaction RPC error: ${told}`)
  }
}

/** Serves a node's chain as Esplora does; what the node refuses is 404. */
export const startEsploraServer = async (node: NodeCalls): Promise<EsploraServer> => {
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    const path = (request.url ?? '').replace(/^\/api/, '')
    if (request.method === 'POST' && path === '/tx') return void send(node, request, response)
    const [route, match] =
      ROUTES.map(([pattern, answer]) => [answer, pattern.exec(path)] as const).find(([, found]) => found) ??
      []
    if (!route || !match) return void response.writeHead(404).end('Not Found')
    route(node, match[1] ?? '').then(
      (body) => void response.end(body),
      () => void response.writeHead(404).end('Block not found'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
