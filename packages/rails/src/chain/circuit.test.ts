import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEPS_IDLE_CONNECTIONS } from '@causeway/chassis/testing'
import { afterEach, expect, test } from '@jest/globals'
import { z } from 'zod'
import { createHttpExchange } from '../http/exchange.ts'
import { createEndpoints, type Witness } from './endpoints.ts'
import { createJsonRpcEndpoint, type JsonRpcEndpoint } from './json-rpc/endpoint.ts'
import type { JsonRpcEndpoints } from './json-rpc/endpoints.ts'

type Mode = 'hangs' | 'answers' | 'is busy'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const respond = (mode: Mode, response: ServerResponse): void => {
  if (mode === 'answers') response.end('{"jsonrpc":"2.0","id":0,"result":"here"}')
  if (mode === 'is busy') response.writeHead(503).end()
}
const stopServer = (server: Server) => () => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
/** A local server that hangs, answers or fails. */
const startServer = async (mode: Mode) => {
  const state = { mode, asked: 0, url: '' }
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (_, response) => {
    respond(state.mode, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stops.push(stopServer(server))
  return state
}

/**
 * Endpoints that hang have a short timeout; those that respond have all the time that a busy machine needs.
 * Requests are counted here, where they are sent: one that hangs may reach its server after its timeout.
 */
const openHttp =
  (server: { mode: Mode; asked: number }): typeof createHttpExchange =>
  (options) => {
    const brief = createHttpExchange({ ...options, timeoutMs: 30 })
    const patient = createHttpExchange({ ...options, timeoutMs: 60_000 })
    return {
      send: (call) => {
        server.asked += 1
        return (server.mode === 'hangs' ? brief : patient).send(call)
      },
      close: async () => {
        await Promise.all([brief.close(), patient.close()])
      },
    }
  }

/** Servers in these modes as endpoints, and a clock that only the test moves. */
const start = async (...modes: readonly Mode[]) => {
  const servers = await Promise.all(modes.map(startServer))
  let nowMs = 0
  const options = { timeoutMs: 30, maxAnswerBytes: 1_000, nowMs: () => nowMs }
  const endpoints = createEndpoints(
    servers.map((server) => createJsonRpcEndpoint(server.url, { ...options, openHttp: openHttp(server) })),
    options.nowMs,
  )
  stops.push(endpoints.close)
  return {
    servers,
    endpoints,
    advance: (ms: number) => (nowMs += ms),
    counts: () => servers.map(({ asked }) => asked),
  }
}

const read = (endpoint: JsonRpcEndpoint) => endpoint.call({ method: 'tip', params: [], shape: z.string() })
/** Returns each endpoint's response, or how it failed. */
const askAll = async (endpoints: JsonRpcEndpoints): Promise<string[]> =>
  (await endpoints.all(read)).map((each: Witness<unknown, string>) =>
    'value' in each ? each.value : each.error.failure,
  )

test('waits three times for an endpoint that hangs, and then retries it after pauses that grow up to 5 minutes', async () => {
  const { servers, endpoints, advance, counts } = await start('hangs', 'answers')
  for (let look = 0; look < 3; look += 1) expect(await askAll(endpoints)).toEqual(['timeout', 'here'])
  for (const pauseMs of [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
    const asked = servers[0]?.asked
    advance(pauseMs - 1)
    expect(await askAll(endpoints)).toEqual(['unavailable', 'here'])
    expect(servers[0]?.asked).toBe(asked)
    advance(1)
    expect(await askAll(endpoints)).toEqual(['timeout', 'here'])
  }
  expect(counts()).toEqual([11, 19])
})

test('includes an endpoint in every request again once it answers', async () => {
  const { servers, endpoints, advance } = await start('hangs', 'answers')
  for (let look = 0; look < 4; look += 1) await askAll(endpoints)
  if (servers[0]) servers[0].mode = 'answers'
  expect(await askAll(endpoints)).toEqual(['unavailable', 'here'])
  advance(5_000)
  expect(await askAll(endpoints)).toEqual(['here', 'here'])
  if (servers[0]) servers[0].mode = 'hangs'
  expect(await askAll(endpoints)).toEqual(['timeout', 'here'])
  expect(await askAll(endpoints)).toEqual(['timeout', 'here'])
})

test('tries it with one request after a pause, while the other requests do not wait for it', async () => {
  const { endpoints, advance, counts } = await start('hangs', 'answers')
  for (let look = 0; look < 3; look += 1) await askAll(endpoints)
  advance(5_000)
  expect(await Promise.all([askAll(endpoints), askAll(endpoints), askAll(endpoints)])).toEqual([
    ['timeout', 'here'],
    ['unavailable', 'here'],
    ['unavailable', 'here'],
  ])
  expect(counts()).toEqual([4, 6])
})

test('counts concurrent failures as one', async () => {
  const { endpoints } = await start('hangs', 'answers')
  await Promise.all([askAll(endpoints), askAll(endpoints), askAll(endpoints), askAll(endpoints)])
  expect(await askAll(endpoints)).toEqual(['timeout', 'here'])
})

test('sends requests to all endpoints when too few would remain to decide', async () => {
  const { endpoints, counts } = await start('hangs', 'hangs', 'answers')
  for (let look = 0; look < 6; look += 1)
    expect(await askAll(endpoints)).toEqual(['timeout', 'timeout', 'here'])
  expect(counts()).toEqual([6, 6, 6])
})

test('takes the first answer from an available endpoint, and tries all when they all fail', async () => {
  const { servers, endpoints, counts } = await start('hangs', 'answers')
  for (let look = 0; look < 3; look += 1) await askAll(endpoints)
  expect(await endpoints.first(read)).toBe('here')
  expect(counts()).toEqual([3, 4])
  if (servers[1]) servers[1].mode = 'is busy'
  await expect(endpoints.first(read)).rejects.toMatchObject({ retryable: true })
  expect(counts()).toEqual([4, 5])
})

test('treats an endpoint that answers with an error as available, and continues to call it', async () => {
  const { endpoints, counts } = await start('is busy', 'answers')
  for (let look = 0; look < 5; look += 1) await askAll(endpoints)
  expect(counts()).toEqual([5, 5])
})
