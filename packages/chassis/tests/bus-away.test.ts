import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { connectBus } from '../src/index.ts'
import { eventually, testNatsUrl } from '../src/testing/index.ts'
import { silent } from './fixture.ts'

/** A way to the test run's server that can be shut. */
const openWay = async (port = 0) => {
  const far = new URL(testNatsUrl())
  const sockets = new Set<Socket>()
  const way = createServer((near) => {
    const onward = connect(Number(far.port), far.hostname)
    for (const socket of [near, onward]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    near.on('close', () => onward.destroy())
    onward.on('close', () => near.destroy())
    near.pipe(onward).pipe(near)
  })
  await new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve))
  const url = new URL(testNatsUrl())
  url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
  return {
    url: url.href,
    port: Number(url.port),
    shut: async () => {
      const closed = new Promise((resolve) => way.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const recordingLog = () => {
  const warned: string[] = []
  const warn = ({ event }: { event: string }) => void warned.push(event)
  return { warned, log: { ...silent, info: () => undefined, warn } as never }
}

test('logs one line for many attempts while NATS is unavailable at the start', async () => {
  const way = await openWay()
  await way.shut()
  const { warned, log } = recordingLog()
  const connecting = connectBus({ url: way.url, name: 'test', log, connectTimeoutMs: 1_500 })
  await expect(connecting).rejects.toThrow('NATS_URL: cannot connect to 127.0.0.1')
  expect(warned).toEqual(['bus.waiting'])
})

test('logs that NATS is unavailable and reconnects when it is back', async () => {
  const way = await openWay()
  const { warned, log } = recordingLog()
  const bus = await connectBus({ url: way.url, name: 'test', log })
  await way.shut()
  await eventually(() => warned.includes('bus.waiting'))
  expect(warned).toEqual(['bus.disconnected', 'bus.waiting'])
  const again = await openWay(way.port)
  await eventually(() => bus.connected())
  await bus.close()
  await again.shut()
})
