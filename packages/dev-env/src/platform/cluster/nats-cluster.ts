import { randomBytes } from 'node:crypto'
import { freePort } from '../../infrastructure/free-port.ts'
import { natsConfig } from '../../infrastructure/nats-config.ts'
import { type NatsUser, type PasswordOwner } from '../../infrastructure/nats-permissions.ts'
import { startNats } from '../../infrastructure/nats.ts'
import type { DataFolder } from '../data-folder.ts'
import { waitForPreviousServer } from '../previous-server.ts'
import { supervise, type Supervised } from '../supervised.ts'

/** Two of three are a majority: the cluster continues without any one server. */
const SIZE = 3

export type NatsCluster = Readonly<{
  servers: readonly Supervised[]
  /** NATS_URL of a user: every server. */
  urlOf: (user: NatsUser) => string
  stop: () => Promise<void>
}>

type Options = Readonly<{
  data: DataFolder
  passwords: Readonly<Record<PasswordOwner, string>>
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}>

const freePorts = async (): Promise<number[]> => {
  const ports: number[] = []
  while (ports.length < SIZE) ports.push(await freePort())
  return ports
}

/** Starts three NATS servers that hold the streams together. */
export const startNatsCluster = async (options: Options): Promise<NatsCluster> => {
  const { data, passwords, env, log } = options
  const ports = await freePorts()
  const routePorts = await freePorts()
  // A connection to a route sees every message; the password is valid for this start only.
  const routePassword = randomBytes(24).toString('hex')
  const runOne = (index: number) => {
    const name = `nats-${index + 1}`
    const folder = data.at(name)
    const start = async () => {
      await waitForPreviousServer(data.at(name, 'nats.pid'), 'nats-server')
      const server = await startNats({
        folder,
        logFile: data.at('logs', `${name}.log`),
        env,
        ...(ports[index] === undefined ? {} : { port: ports[index] }),
        config: (paths) =>
          natsConfig({
            ...paths,
            serverName: name,
            cluster: {
              listen: `127.0.0.1:${routePorts[index]}`,
              routes: routePorts.map((port) => `127.0.0.1:${port}`),
              password: routePassword,
            },
            hasSandbox: true,
            password: (user) => JSON.stringify(passwords[user]),
          }),
      })
      return { ...server, exited: server.exited.then((code) => `code ${code}`) }
    }
    return supervise({ name, start, log })
  }
  const servers = await Promise.all(ports.map((_, index) => runOne(index)))
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  return {
    servers,
    urlOf: (user) => `nats://${user}:${passwords[user]}@${hosts}`,
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
