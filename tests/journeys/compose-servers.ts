import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { eventually } from '@causeway/chassis/testing'
import { freePort } from '../../scripts/infrastructure/free-port.ts'
import { natsServerBinary } from '../../scripts/infrastructure/nats-binary.ts'
import { startPostgres } from '../../scripts/infrastructure/postgres.ts'
import { startServerProcess } from '../../scripts/infrastructure/server-process.ts'

type Options = Readonly<{
  /** Of data and logs. */
  folder: string
  /** As deploy/make-secrets.sh made them. */
  secrets: string
}>

/** PostgreSQL on an empty folder, prepared by the script that the postgres image runs. */
const startDatabases = async ({ folder, secrets }: Options) => {
  const password = readFileSync(join(secrets, 'postgres_password'), 'utf8')
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password,
    durable: false,
  })
  const scripts = join(folder, 'audit')
  mkdirSync(scripts)
  // As docker-compose.yml mounts them.
  copyFileSync('services/gateway/migrations/6_audit-log.sql', join(scripts, 'audit-log.sql'))
  copyFileSync('deploy/postgres/protect-audit-log.sql', join(scripts, 'protect-audit-log.sql'))
  copyFileSync('services/signer/migrations/2_record.sql', join(scripts, 'signer-record.sql'))
  copyFileSync('deploy/postgres/protect-signer-record.sql', join(scripts, 'protect-signer-record.sql'))
  execFileSync('sh', ['deploy/postgres/create-databases.sh'], {
    env: {
      PATH: process.env['PATH'],
      POSTGRES_USER: 'postgres',
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGPASSWORD: password,
      SECRETS_FOLDER: secrets,
      AUDIT_SCRIPTS_FOLDER: scripts,
    },
  })
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

/** NATS by the entry point of its container, with deploy/nats.conf listening on loopback. */
const startBus = async ({ folder, secrets }: Options) => {
  const [port, monitor] = [await freePort(), await freePort()]
  const config = join(folder, 'nats.conf')
  const store = join(folder, 'nats')
  mkdirSync(store)
  const text = readFileSync('deploy/nats.conf', 'utf8')
    .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
    .replace('"0.0.0.0:8222"', `"127.0.0.1:${monitor}"`)
    .replace('"/data"', `"${store}"`)
  writeFileSync(config, text)
  const server = await startServerProcess({
    command: '/bin/sh',
    args: [resolve('deploy/nats-entrypoint.sh')],
    env: {
      PATH: `${dirname(natsServerBinary(process.env))}:${process.env['PATH'] ?? ''}`,
      SECRETS_FOLDER: secrets,
      NATS_CONFIG: config,
      NATS_STORE: store,
    },
    logFile: join(folder, 'nats.log'),
    stopSignal: 'TERM',
  })
  await eventually(() => accepts(port))
  return { ...server, port }
}

/** The two servers of docker-compose.yml, made by the same scripts and configuration, on ports of loopback. */
export const startComposeServers = async (options: Options) => {
  const [postgres, nats] = await Promise.all([startDatabases(options), startBus(options)])
  return {
    postgresPort: postgres.port,
    natsPort: nats.port,
    stop: async () => {
      await nats.stop()
      await postgres.stop()
    },
  }
}
