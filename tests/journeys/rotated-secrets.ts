import { execFile, type ExecFileException } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { startCompose } from './compose-platform.ts'

type Compose = Awaited<ReturnType<typeof startCompose>>
export type Rotated = 'databases' | 'nats' | 'bus-keys' | 'keks' | 'signing-keys'

/** Longer than a process takes to read its files again: 5 s, and 10 s for its key-encryption key. */
const WAIT_S = 15

/** Runs deploy/rotate.sh on processes of this machine, with other ways to PostgreSQL, NATS and the image's commands. */
export const createRotation = ({ folder, secrets, servers, environmentOf }: Compose) => {
  if (servers === null) throw new Error('No servers run')
  const script = (name: string, lines: string): string => {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\n${lines}\n`)
    chmodSync(file, 0o755)
    return file
  }
  const psql = `PGPASSWORD=$(cat ${secrets}/postgres_password) exec psql -h 127.0.0.1 -p ${servers.postgresPort} -U postgres "$@"`
  const connections = `fetch('http://127.0.0.1:${servers.natsMonitorPort}/connz?auth=1').then(async (r) => console.log(await r.text()))`
  const env = {
    ...process.env,
    ...servers.natsEnv,
    SECRETS: secrets,
    WAIT: String(WAIT_S),
    PSQL: script('psql', psql),
    NATS_RELOAD: `sh ${resolve('deploy/nats-entrypoint.sh')} reload`,
    NATS_CONNECTIONS: script('connections', `exec ${process.execPath} -e "${connections}"`),
  }
  const run = (command: string, args: readonly string[], given: NodeJS.ProcessEnv) =>
    new Promise<{ status: number; said: string }>((settle) => {
      execFile(command, args, { env: given, encoding: 'utf8' }, (error: ExecFileException | null, out, err) =>
        settle({ status: error === null ? 0 : Number(error.code ?? 1), said: `${out}${err}` }),
      )
    })
  return {
    secret: (name: string): string => readFileSync(join(secrets, name), 'utf8').trim(),
    rotate: (subject: Rotated, ...flags: string[]) => {
      if (subject !== 'signing-keys') return run('sh', ['deploy/rotate.sh', subject, ...flags], env)
      const command = ['deploy/command.js', 'signing-keys:rotate', ...flags]
      return run(process.execPath, command, { ...process.env, ...environmentOf('access') })
    },
  }
}
