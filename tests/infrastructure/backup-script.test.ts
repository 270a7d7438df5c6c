import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client } from 'pg'
import { eventually } from '@causeway/chassis/testing'
import { readLogArchive } from '../../packages/chassis/src/db/log-archive-store.ts'
import { BACKUP_OVERLAY, readCompose } from '../../scripts/deployment/compose.ts'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { startServerProcess } from '@causeway/dev-env/infrastructure/server-process'
import { unprivilegedUser } from '@causeway/dev-env/infrastructure/unprivileged'

/** A whole PostgreSQL, with the programs for backups: those of npm are the server alone. */
const PROGRAMS = ['initdb', 'postgres', 'psql', 'pg_basebackup', 'pg_verifybackup', 'pg_archivecleanup']
const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
const bin = [
  ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  ...(process.env['PATH'] ?? '').split(delimiter),
].find((place) => PROGRAMS.every((name) => existsSync(join(place, name))))
const describeHere = bin === undefined ? describe.skip : describe
const skipped =
  bin === undefined ? ' (skipped: no PostgreSQL with pg_basebackup; apt-get install postgresql)' : ''

const folder = mkdtempSync(join(tmpdir(), 'causeway-backup-'))
const [place, backup, secrets] = ['place', 'backup', 'secrets'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const [data, restored] = [join(place, 'data'), join(place, 'restored')] as const
const user = unprivilegedUser(place, [])
let password = 'padmin'
let port = 0
let server: Awaited<ReturnType<typeof startServerProcess>>

const runAs = (program: string, ...args: string[]) => {
  const { command, args: given, identity = {} } = user.launch(join(bin ?? '', program), args)
  execFileSync(command, given, { cwd: '/', stdio: 'pipe', ...identity })
}
const settingsOf = (): string[] => {
  const command = readCompose([BACKUP_OVERLAY], {}).services['postgres']?.command ?? []
  return command
    .slice(1)
    .map((text) =>
      text.replaceAll('/backup/', `${backup}/`).replace('/etc/causeway', resolve('deploy/postgres')),
    )
}
const start = async (from: string, ...settings: string[]) => {
  const places = [
    '-D',
    from,
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ]
  const { command, args, identity } = user.launch(join(bin ?? '', 'postgres'), [
    ...places,
    '-c',
    'fsync=off',
    ...settings,
  ])
  server = await startServerProcess({
    command,
    args,
    identity,
    logFile: join(folder, 'log'),
    stopSignal: 'INT',
  })
}
const query = async <T = Record<string, unknown>>(text: string, role = 'postgres', given = password) => {
  const client = new Client({ host: '127.0.0.1', port, user: role, password: given, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(text)).rows as T[]
  } finally {
    await client.end()
  }
}
const archived = async () => {
  const [row] = await query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name')
  await eventually(() => readdirSync(join(backup, 'wal')).includes(row?.name ?? ''))
}
/** A script of deploy/, as the user of the server, with what its container has. */
const scriptAsUser = (name: string, ...args: string[]) => {
  const { command, args: given, identity } = user.launch('sh', [resolve('deploy', name), ...args])
  const env = {
    PATH: `${bin ?? ''}:${process.env['PATH'] ?? ''}`,
    BACKUP_FOLDER: backup,
    SECRETS_FOLDER: secrets,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
  }
  return { command, args: given, options: { cwd: '/', ...identity, env } as const }
}
const backUp = (kept = 2) => {
  const { command, args, options } = scriptAsUser('backup.sh', 'databases', '--once')
  const env = { ...options.env, BACKUPS_KEPT: String(kept) }
  return spawnSync(command, args, { ...options, encoding: 'utf8', env })
}
const backUpRepeatedly = () => {
  const { command, args, options } = scriptAsUser('backup.sh', 'databases')
  return spawn(command, args, { ...options, stdio: 'ignore' })
}
const restoreDatabases = (given: Readonly<Record<string, string>>) => {
  const { command, args, options } = scriptAsUser('restore-databases.sh', 'postgres', ...settingsOf())
  const { PGHOST: _host, PGPORT: _port, ...env } = options.env
  return spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    env: { ...env, RESTORED_FOLDER: restored, TMPDIR: place, ...given },
  })
}

describeHere(`docker-compose.backup.yml and deploy/backup.sh${skipped}`, () => {
  beforeAll(async () => {
    chmodSync(folder, 0o711)
    execFileSync('sh', ['deploy/make-secrets.sh', secrets])
    chmodSync(secrets, 0o755)
    for (const each of [place, data, backup, join(backup, 'wal'), join(backup, 'base')]) {
      mkdirSync(each, { mode: 0o700 })
      user.own(each)
    }
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, password)
    runAs(
      'initdb',
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
    )
    port = await freePort()
    await start(data, ...settingsOf())
    await eventually(() => query('SELECT 1').then(() => true))
    const role = /^SELECT 'CREATE ROLE backup'[^]*?^SQL$/m.exec(
      readFileSync('deploy/postgres/create-databases.sh', 'utf8'),
    )?.[0]
    const sql = (role ?? '')
      .replace(/^SELECT 'CREATE ROLE backup'.*$/m, 'CREATE ROLE backup;')
      .replace(/^SQL$/m, '')
    await query(
      sql.replace(":'password'", `'${readFileSync(join(secrets, 'backup_database_password'), 'utf8')}'`),
    )
    await query('CREATE TABLE orders (id int)')
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('takes base backups, keeps the newest, and keeps the log that the oldest of them needs', async () => {
    const taken: string[] = []
    for (let each = 0; each < 3; each += 1) {
      await query(`INSERT INTO orders VALUES (${each})`)
      expect(backUp()).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('Backed up the databases'),
      })
      taken.push(...readdirSync(join(backup, 'base')).filter((name) => !taken.includes(name)))
      await archived()
      // Names have seconds.
      await eventually(
        () =>
          new Date()
            .toISOString()
            .slice(0, 19)
            .replaceAll(/(?<=T.*):/g, '') > (taken.at(-1) ?? '').slice(0, -1),
      )
    }
    expect(readdirSync(join(backup, 'base')).sort()).toEqual(taken.slice(1))
    const label = readFileSync(join(backup, 'base', taken[1] ?? '', 'backup_label'), 'utf8')
    const first = /\(file ([0-9A-F]+)\)/.exec(label)?.[1] ?? ''
    const segments = readdirSync(join(backup, 'wal'))
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .sort()
    expect(segments[0]).toBe(first)
    expect(segments.length).toBeGreaterThan(1)
  })

  test('notes when, where every service reads its age', async () => {
    await query("CREATE ROLE anybody LOGIN PASSWORD 'p'; GRANT CONNECT ON DATABASE postgres TO anybody")
    const [archive] = await query<{ is_on: boolean; base_backup_age_seconds: number }>(
      readLogArchive.text,
      'anybody',
      'p',
    )
    expect(archive?.is_on).toBe(true)
    expect(archive?.base_backup_age_seconds).toBeLessThan(60)
    await query('ALTER ROLE backup RESET causeway.base_backup_at')
    await query("ALTER ROLE backup SET causeway.base_backup_at = '2020-01-01T00:00:00Z'")
    const [old] = await query<{ base_backup_age_seconds: number }>(readLogArchive.text, 'anybody', 'p')
    expect(old?.base_backup_age_seconds).toBeGreaterThan(172_800)
  })

  test('gives the role that copies the server no table to read', async () => {
    const password = readFileSync(join(secrets, 'backup_database_password'), 'utf8')
    await expect(query('SELECT * FROM orders', 'backup', password)).rejects.toThrow('permission denied')
    await expect(query('CREATE ROLE other', 'backup', password)).rejects.toThrow('permission denied')
  })

  test('leaves a backup that fails out, and says so', async () => {
    const before = readdirSync(join(backup, 'base'))
    await query("ALTER ROLE backup PASSWORD 'another'")
    expect(backUp()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('password authentication failed'),
    })
    expect(readdirSync(join(backup, 'base'))).toEqual(before)
  })

  describe('deploy/restore-databases.sh', () => {
    const idsIn = async () =>
      (await query<{ id: number }>('SELECT id FROM orders ORDER BY id')).map(({ id }) => id)
    const insert = (id: number) => query(`INSERT INTO orders VALUES (${id})`)
    /** A moment between what was written before and what is written after this. */
    const momentBetween = async () => {
      await delay(1_100)
      const moment = `${new Date().toISOString().slice(0, 19)}Z`
      await delay(1_100)
      return moment
    }
    const stopAndRestore = async (env: Readonly<Record<string, string>>) => {
      await server.stop()
      return restoreDatabases(env)
    }
    const startRestored = async () => {
      rmSync(data, { recursive: true })
      renameSync(restored, data)
      password = readFileSync(join(secrets, 'postgres_password'), 'utf8')
      await start(data, ...settingsOf())
      await eventually(() => query('SELECT 1').then(() => true))
    }
    let wrongMoment = ''
    let moment = ''

    test('restores to a moment, with the password of the secrets', async () => {
      await query(
        `ALTER ROLE backup PASSWORD '${readFileSync(join(secrets, 'backup_database_password'), 'utf8')}'`,
      )
      await insert(100)
      wrongMoment = await momentBetween()
      await insert(101)
      moment = await momentBetween()
      await insert(102)
      const { status, stdout } = await stopAndRestore({ MOMENT: wrongMoment })
      const newest = readdirSync(join(backup, 'base')).sort().at(-1) ?? ''
      expect([status, stdout]).toEqual([0, `base ${newest}\nsince \nuntil ${wrongMoment}\n`])
      await startRestored()
      expect(await idsIn()).toEqual([0, 1, 2, 100])
    })

    test('follows the former history to a moment from before another restore', async () => {
      expect(await stopAndRestore({ MOMENT: moment })).toMatchObject({ status: 0 })
      await startRestored()
      expect(await idsIn()).toEqual([0, 1, 2, 100, 101])
    })

    test('takes the next base backup after a restore has begun a new history', async () => {
      const before = readdirSync(join(backup, 'base'))
      const running = backUpRepeatedly()
      try {
        await eventually(() =>
          readdirSync(join(backup, 'base')).some((name) => /Z$/.test(name) && !before.includes(name)),
        )
      } finally {
        running.kill()
      }
    })

    test('restores as late as possible, with no setting of an earlier recovery', async () => {
      const before = Math.floor(Date.now() / 1_000) * 1_000
      await insert(103)
      const { status, stdout } = await stopAndRestore({})
      expect(status).toBe(0)
      const until = /^until (.*)$/m.exec(stdout)?.[1] ?? ''
      expect(Date.parse(until)).toBeGreaterThanOrEqual(before)
      await startRestored()
      expect(await idsIn()).toEqual([0, 1, 2, 100, 101, 103])
      expect(readFileSync(join(data, 'postgresql.auto.conf'), 'utf8')).not.toMatch(
        /restore_command|recovery_/,
      )
    })

    test('keeps nothing of a restore to a moment that the log does not reach', async () => {
      const late = '2099-01-01T00:00:00Z'
      const { status, stderr } = await stopAndRestore({ MOMENT: late })
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining(`The archived log does not reach ${late}: leave the moment out`),
      ])
      expect(existsSync(restored)).toBe(false)
      await start(data, ...settingsOf())
    })

    test('refuses a moment from before all base backups', () => {
      expect(restoreDatabases({ MOMENT: '2020-01-01T00:00:00Z' })).toMatchObject({
        status: 1,
        stderr: 'No base backup from before 2020-01-01T00:00:00Z in the folder base of the backups\n',
      })
    })
  })
})
