import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { connectBus, createLogger, isServiceReady, keepStreams, type Db } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import { streamUserOf, type PasswordOwner } from '@causeway/dev-env/infrastructure/nats-permissions'
import { startNats, type NatsServer } from '@causeway/dev-env/infrastructure/nats'

const folder = mkdtempSync(join(tmpdir(), 'causeway-quorum-'))
const passwordOf = (user: PasswordOwner) => `secret-of-${user}`
const servers = new Map<string, NatsServer>()

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

const NAMES = ['nats-1', 'nats-2', 'nats-3']
const portsOf = async () => Promise.all(NAMES.map(() => freePort()))

type StreamsOfServer = Readonly<{
  account_details?: readonly Readonly<{
    stream_detail?: readonly Readonly<{ cluster?: { leader?: string } }>[]
  }>[]
}>
/** Asks a server whether it knows a leader of its streams. */
const knowsLeader = async (monitorPort: number): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${monitorPort}/jsz?accounts=true&streams=true`)
  const { account_details: accounts = [] } = (await answer.json()) as StreamsOfServer
  const streams = accounts.flatMap(({ stream_detail: details = [] }) => details)
  expect(streams).not.toEqual([])
  return streams.some(({ cluster }) => (cluster?.leader ?? '') !== '')
}

test('reports a service as not ready while the servers of the stream have no majority, and as ready once they have', async () => {
  const [ports, routePorts] = [await portsOf(), await portsOf()]
  const monitorPort = await freePort()
  const start = async (name: string) => {
    const index = NAMES.indexOf(name)
    const server = await startNats({
      folder: join(folder, name),
      logFile: join(folder, `${name}.log`),
      env: process.env,
      port: ports[index] ?? 0,
      config: (paths) =>
        natsConfig({
          ...paths,
          serverName: name,
          ...(name === NAMES[0] && { monitor: `127.0.0.1:${monitorPort}` }),
          cluster: {
            listen: `127.0.0.1:${routePorts[index]}`,
            routes: routePorts.map((port) => `127.0.0.1:${port}`),
            password: 'route',
          },
          password: (user) => JSON.stringify(passwordOf(user)),
        }),
    })
    servers.set(name, server)
  }
  await Promise.all(NAMES.map(start))
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const busOf = (user: 'gateway' | 'payments') =>
    connectBus({
      url: `nats://${user}:${passwordOf(user)}@${hosts}`,
      name: user,
      streamUser: streamUserOf(user),
      log: createLogger({ service: 'test', level: 'silent' }),
    })
  const [gateway, payments] = await Promise.all([busOf('gateway'), busOf('payments')])
  const bounds = { events: 16 * 1_048_576, documents: null, replicas: 3 }
  await eventually(
    async () => (await keepStreams(await gateway.jetstreamManager(), bounds)).uses[0]?.hasLeader,
  )
  const db = { ping: () => Promise.resolve() } as unknown as Db
  const isReady = () => isServiceReady({ db, bus: payments, timeoutFactor: 1 })
  await eventually(isReady)
  await eventually(() => knowsLeader(monitorPort))

  for (const name of NAMES.slice(1)) await servers.get(name)?.stop()
  // Until it notices that the others are gone, a leader that is left answers as before.
  await eventually(async () => !(await knowsLeader(monitorPort)))
  // Not because the client is still on its way to the server that is left.
  await eventually(() => payments.connected())
  expect(await isReady()).toBe(false)

  await Promise.all(NAMES.slice(1).map(start))
  await eventually(isReady)
  await Promise.all([gateway.close(), payments.close()])
})
