import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { eventually } from '@causeway/chassis/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type PlatformPool, RELEASE, startPlatformPool } from './platform-pool.ts'

let pool: PlatformPool
/** Names of the platforms that were started and stopped. */
const started: string[] = []
const stopped: string[] = []
const sockets: Socket[] = []

beforeEach(async () => {
  started.length = 0
  stopped.length = 0
  pool = await startPlatformPool(() => {
    const baseUrl = `platform-${started.length + 1}`
    started.push(baseUrl)
    const stop = () => Promise.resolve(void stopped.push(baseUrl))
    return Promise.resolve({ baseUrl, stop, sandboxUrl: '', operatorKey: '', dataDir: '' })
  })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await pool.stop()
})

const claim = async ({ port }: PlatformPool = pool) => {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const [line] = (await once(createInterface({ input: socket }), 'line')) as [string]
  const { baseUrl: name, error } = JSON.parse(line) as { baseUrl?: string; error?: string }
  return { socket, name, error }
}

test('lends a platform to one file at a time, and again after its release', async () => {
  const [first, second] = [await claim(), await claim()]
  expect([first.name, second.name]).toEqual(['platform-1', 'platform-2'])
  first.socket.end(`${RELEASE}\n`)
  await once(first.socket, 'close')
  await eventually(async () => {
    const third = await claim()
    return third.name === 'platform-1'
  })
})

test('stops a platform whose file ends without releasing it', async () => {
  const { socket } = await claim()
  socket.destroy()
  await eventually(() => stopped.length === 1)
  expect((await claim()).name).toBe('platform-2')
})

test('stops the released and the claimed platforms at the end of the run', async () => {
  const { socket } = await claim()
  socket.end(`${RELEASE}\n`)
  await once(socket, 'close')
  await claim()
  await pool.stop()
  expect(stopped).toEqual(started)
})

test('answers a claim with the error of a start that failed', async () => {
  const failing = await startPlatformPool(() => Promise.reject(new Error('no port is free')))
  expect((await claim(failing)).error).toBe('Error: no port is free')
  await failing.stop()
})
