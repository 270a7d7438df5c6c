import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@causeway/chassis/testing'
import { PRODUCTION, readCompose } from '../../scripts/deployment/compose.ts'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { natsServerBinary } from '@causeway/dev-env/infrastructure/nats-binary'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import { startServerProcess } from '@causeway/dev-env/infrastructure/server-process'

type Options = Readonly<{
  /** Folder of data and logs. */
  folder: string
  /** As deploy/make-secrets.sh made them. */
  secrets: string
  /** The checkout whose scripts and configuration are used; left out: this one. */
  tree?: string | undefined
}>

/** Copies what the container of create-databases.sh has at /etc/causeway into a folder. */
const mountScripts = (tree: string, folder: string): string => {
  const { services } = readCompose([resolve(tree, PRODUCTION)], { PUBLIC_BASE_URL: 'https://localhost' })
  const { volumes = [] } = services['prepare'] ?? services['postgres'] ?? {}
  const mounts = mkdtempSync(join(folder, 'mounts-'))
  for (const volume of volumes) {
    const [, from = '', to = ''] = /^(.+):\/etc\/causeway\/(.+):ro$/.exec(volume) ?? []
    if (to !== '') cpSync(join(tree, from), join(mounts, to), { recursive: true })
  }
  return mounts
}

/** Runs the script that creates databases and users, as the container of a release does. */
export const createComposeDatabases = async (
  { folder, secrets, tree = '.' }: Options,
  port: number,
): Promise<void> => {
  const path = 'deploy/postgres/create-databases.sh'
  const mounts = mountScripts(tree, folder)
  await promisify(execFile)('sh', [join(existsSync(join(mounts, path)) ? mounts : tree, path)], {
    env: {
      PATH: process.env['PATH'],
      POSTGRES_USER: 'postgres',
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGPASSWORD: readFileSync(join(secrets, 'postgres_password'), 'utf8'),
      SECRETS_FOLDER: secrets,
      // The first release looks there.
      AUDIT_SCRIPTS_FOLDER: mounts,
    },
  })
}

/** PostgreSQL on an empty folder, prepared by the script of the release. */
const startDatabases = async (options: Options) => {
  const server = await startPostgres({
    folder: join(options.folder, 'postgres'),
    logFile: join(options.folder, 'postgres.log'),
    password: readFileSync(join(options.secrets, 'postgres_password'), 'utf8'),
    durable: false,
  })
  await createComposeDatabases(options, server.port)
  return server
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      settle(true)
    })
    socket.once('error', () => settle(false))
  })

const configLoadTime = async (monitor: number): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${monitor}/varz`)
  return ((await answer.json()) as { config_load_time: string }).config_load_time
}

/** NATS by the entry point of its container, with deploy/nats.conf listening on loopback. */
const startBus = async ({ folder, secrets, tree = '.' }: Options) => {
  const [port, monitor] = [await freePort(), await freePort()]
  const config = join(folder, 'nats.conf')
  const store = join(folder, 'nats')
  mkdirSync(store)
  const configuration = (from: string): string =>
    readFileSync(join(from, 'deploy/nats.conf'), 'utf8')
      .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
      .replace(/"[\d.]+:8222"/, `"127.0.0.1:${monitor}"`)
      .replace('"/data"', `"${store}"`)
  writeFileSync(config, configuration(tree))
  const env = {
    PATH: `${dirname(natsServerBinary(process.env))}:${process.env['PATH'] ?? ''}`,
    SECRETS_FOLDER: secrets,
    NATS_CONFIG: config,
    NATS_RUNNING_CONFIG: join(folder, 'nats-running.conf'),
    NATS_STORE: store,
  }
  const server = await startServerProcess({
    command: '/bin/sh',
    args: [resolve(tree, 'deploy/nats-entrypoint.sh')],
    env,
    logFile: join(folder, 'nats.log'),
    stopSignal: 'TERM',
  })
  await eventually(() => accepts(port))
  const ofServer = { ...env, NATS_PID: String(server.pid) }
  return {
    ...server,
    port,
    monitor,
    env: ofServer,
    reload: async (from: string): Promise<void> => {
      const next = join(folder, 'nats-next.conf')
      writeFileSync(next, configuration(from))
      // The first release ran the file that it was given.
      for (const NATS_RUNNING_CONFIG of [config, ofServer.NATS_RUNNING_CONFIG]) {
        const before = await configLoadTime(monitor)
        execFileSync('sh', ['deploy/nats-entrypoint.sh', 'reload'], {
          env: { ...ofServer, NATS_CONFIG: next, NATS_RUNNING_CONFIG },
        })
        // The signal only asks for it.
        await eventually(async () => (await configLoadTime(monitor)) !== before)
      }
    },
  }
}

/** The two servers of docker-compose.yml, made by the same scripts and configuration, on ports of loopback. */
export const startComposeServers = async (options: Options) => {
  const [postgres, nats] = await Promise.all([startDatabases(options), startBus(options)])
  return {
    postgresPort: postgres.port,
    natsPort: nats.port,
    natsMonitorPort: nats.monitor,
    /** With which the entry point reads the configuration again. */
    natsEnv: nats.env,
    /** Gives NATS the permissions of another checkout, as one does with servers of one's own; returns once they hold. */
    reloadBus: nats.reload,
    stop: async () => {
      await nats.stop()
      await postgres.stop()
    },
  }
}
