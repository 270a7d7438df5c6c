import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { natsServerBinary } from './nats-binary.ts'

const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 20
const PROBE_TIMEOUT_MS = 2_000

export type NatsOptions = {
  /** Folder of the configuration and the streams; created if missing. */
  folder: string
  logFile: string
  env: NodeJS.ProcessEnv
  /** Default: a free port. */
  port?: number
  /** Renders the configuration file. */
  config: (paths: { listen: string; storeFolder: string }) => string
}

export type NatsServer = ServerProcess & { port: number }

/** A server that is ready sends INFO on each new connection. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(PROBE_TIMEOUT_MS, () => settle(false))
    socket.once('data', (data) => settle(data.toString().startsWith('INFO ')))
    socket.once('error', () => settle(false))
    socket.once('close', () => settle(false))
  })

const lastLines = (logFile: string): string =>
  existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n') : ''

/**
 * Starts nats-server on 127.0.0.1 with JetStream's files in `folder` and waits until it is ready.
 *
 * @throws Error with the end of the server's log when it does not come up
 */
export const startNats = async (options: NatsOptions): Promise<NatsServer> => {
  const binary = natsServerBinary(options.env)
  const port = options.port ?? (await freePort())
  const configFile = join(options.folder, 'nats.conf')
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const config = options.config({
    listen: `127.0.0.1:${port}`,
    storeFolder: join(options.folder, 'jetstream'),
  })
  writeFileSync(configFile, config, { mode: 0o600 })
  const server = await startServerProcess({
    command: binary,
    args: ['--config', configFile, '--pid', join(options.folder, 'nats.pid')],
    // One thread takes less CPU for this load than several that wake each other.
    env: { GOMAXPROCS: '1' },
    logFile: options.logFile,
    stopSignal: 'TERM',
  })
  const giveUpAt = Date.now() + READY_TIMEOUT_MS
  while (!(await greets(port))) {
    if (!server.running() || Date.now() > giveUpAt) {
      await server.stop()
      throw new Error(
        `NATS does not start. Its log (${options.logFile}) ends:\n${lastLines(options.logFile)}`,
      )
    }
    await delay(READY_POLL_MS)
  }
  return { ...server, port }
}
