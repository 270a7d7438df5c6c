import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NodeCalls } from './node-calls.ts'

type Call = Readonly<{ id: number; method: string; params: readonly unknown[] }>
/** Changes what a call is answered; `cut` ends the connection in the middle of the answer. */
export type Tamper = (method: string, result: unknown, params: readonly unknown[]) => unknown
export const CUT = Symbol('cut')

export type JsonRpcServer = Readonly<{
  url: string
  tamper: (tamper: Tamper) => void
  stop: () => Promise<void>
}>

const read = async (request: IncomingMessage): Promise<Call | Call[]> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
}

/** JSON-RPC over calls of any chain. Errors have the status 500, as at Bitcoin Core; a batch is answered by an array. */
export const startJsonRpcServer = async (node: NodeCalls): Promise<JsonRpcServer> => {
  let tamper: Tamper = (_, result) => result
  const answer = async ({ id, method, params }: Call) => {
    try {
      return { id, result: tamper(method, await node.rpc(method, ...params), params), error: null }
    } catch (error) {
      const { code = -1, message } = error as Error & { code?: number }
      return { id, result: null, error: { code, message } }
    }
  }
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    void read(request).then(async (asked) => {
      const answers = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked)
      const text = JSON.stringify(answers)
      const isCut = 'result' in answers && answers.result === CUT
      response.writeHead(!Array.isArray(answers) && answers.error ? 500 : 200, {
        'content-length': isCut ? 9_999 : Buffer.byteLength(text),
      })
      if (!isCut) return response.end(text)
      response.write(text)
      return response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tamper: (next) => (tamper = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
