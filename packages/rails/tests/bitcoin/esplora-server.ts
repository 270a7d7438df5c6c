import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NodeCalls } from '../node-calls.ts'

/** A base address in the form of Esplora's servers, with a path. */
export type EsploraServer = Readonly<{ url: string; stop: () => Promise<void> }>

type Route = (node: NodeCalls, argument: string) => Promise<string | Buffer>

const hexOf = async (node: NodeCalls, method: string, ...params: readonly unknown[]) =>
  Buffer.from(await node.rpc<string>(method, ...params), 'hex')

/** What Esplora's API.md says of each path, from what the node has. */
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
  [/^\/tx\/([0-9a-f]{64})\/raw$/, (node, txId) => hexOf(node, 'getrawtransaction', txId)],
]

/** Serves a node's chain as Esplora does; what the node refuses is 404. */
export const startEsploraServer = async (node: NodeCalls): Promise<EsploraServer> => {
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    const path = (request.url ?? '').replace(/^\/api/, '')
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
