import { existsSync, readFileSync, renameSync, statSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../../infrastructure/free-port.ts'
import { copyPostgres } from '../../infrastructure/postgres-copy.ts'
import { startPostgres } from '../../infrastructure/postgres.ts'
import type { DataFolder } from '../data-folder.ts'
import type { RunningProcess } from '../node-process.ts'
import { childrenOf, identityOf } from '../process-identity.ts'
import { waitForPreviousServer } from '../previous-server.ts'
import { supervise, type Supervised } from '../supervised.ts'

const POLL_MS = 50
/** A primary that has not answered so many questions in a row, while its standby did, is frozen: it is replaced. */
const MOST_UNANSWERED = 3
const ANSWER_TIMEOUT_MS = 1_500
const ASK_EVERY_MS = 250
/** How long a frozen primary keeps its place. */
export const FROZEN_AFTER_MS = MOST_UNANSWERED * (ANSWER_TIMEOUT_MS + ASK_EVERY_MS)
/** Log that the primary keeps for an unavailable standby; one that needs more is copied again. */
const KEPT_LOG = '1GB'

type Index = 0 | 1

/** Which server takes writes, and whether the other one has all that it has acknowledged. Kept in a file. */
type Roles = { primary: Index; isSynchronous: boolean }

/** A primary and a synchronous standby of PostgreSQL on this machine. */
export type DatabasePair = Readonly<{
  servers: readonly [Supervised, Supervised]
  ports: readonly [number, number]
  /** URL of the superuser at the present primary. */
  adminUrl: () => string
  /** The server that takes writes. */
  primary: () => Supervised
  /** Resolves when the standby has everything that is acknowledged, and the primary waits for it. */
  whenSynchronous: () => Promise<void>
  stop: () => Promise<void>
}>

type Options = Readonly<{ data: DataFolder; password: string; log: (line: string) => void }>

/** Runs what it is given one after the other. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}

const killIfRunning = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Runs one statement as the superuser. */
const ask = async <Row extends object>(url: string, text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Tests that the server accepts a connection and answers; a frozen server does neither. */
const answers = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: ANSWER_TIMEOUT_MS })
  client.on('error', () => undefined)
  const query = { text: 'SELECT 1', query_timeout: ANSWER_TIMEOUT_MS }
  const answered = await client
    .connect()
    .then(() => client.query(query))
    .then(
      () => true,
      () => false,
    )
  // A frozen server never ends a connection.
  if (answered) await client.end()
  else void client.end().catch(() => undefined)
  return answered
}

class Pair {
  readonly #options: Options
  readonly #roles: Roles
  readonly #inTurn = createTurns()
  readonly #ports: readonly [number, number]
  readonly #pids: [number | null, number | null] = [null, null]
  #isStopping = false

  constructor(options: Options, ports: readonly [number, number]) {
    this.#options = options
    this.#ports = ports
    const file = this.#rolesFile()
    this.#roles = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Roles)
      : { primary: 0, isSynchronous: false }
  }

  get primary(): Index {
    return this.#roles.primary
  }

  get isSynchronous(): boolean {
    return this.#roles.isSynchronous
  }

  urlOf(index: Index): string {
    return `postgres://postgres:${this.#options.password}@127.0.0.1:${this.#ports[index]}/postgres`
  }

  end(): void {
    this.#isStopping = true
  }

  /** Starts one of the two in its present role; a standby that never followed, or was a primary, is copied first. */
  start(index: Index): Promise<RunningProcess> {
    return this.#inTurn(async () => {
      const folder = this.#folder(index)
      await waitForPreviousServer(join(folder, 'postmaster.pid'), 'postgres')
      if (this.#roles.primary !== index) await this.#becomeStandby(index)
      else this.#becomePrimary(index)
      const server = await startPostgres({
        folder,
        logFile: this.#options.data.at('logs', `postgres-${index + 1}.log`),
        password: this.#options.password,
        port: this.#ports[index],
        settings: { wal_keep_size: KEPT_LOG },
      })
      this.#pids[index] = server.pid
      void server.exited.then(() => {
        this.#pids[index] = null
        return this.#inTurn(() => this.#onExit(index))
      })
      void this.#attach()
      void this.#watch(index, server.pid)
      return { ...server, exited: server.exited.then((code) => `code ${code}`) }
    })
  }

  #rolesFile(): string {
    return this.#options.data.at('database-roles.json')
  }

  #folder(index: Index): string {
    return this.#options.data.at(`postgres-${index + 1}`)
  }

  #setRoles(roles: Roles): void {
    Object.assign(this.#roles, roles)
    const file = this.#rolesFile()
    writeFileSync(`${file}.new`, JSON.stringify(roles), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }

  /** The settings that change with the role, which the server reads again at SIGHUP. */
  #configure(index: Index, lines: string): void {
    const file = join(this.#folder(index), 'postgresql.auto.conf')
    const { uid, gid } = statSync(this.#folder(index))
    writeFileSync(file, `${lines}\n`, { mode: 0o600 })
    chownSync(file, uid, gid)
    const pid = this.#pids[index]
    if (pid !== null) process.kill(pid, 'SIGHUP')
  }

  /** It does not wait for a standby until that one has caught up, so from here on that one may lack something. */
  #becomePrimary(index: Index): void {
    if (!existsSync(this.#folder(index))) return
    this.#setRoles({ primary: index, isSynchronous: false })
    this.#configure(index, '')
  }

  async #becomeStandby(index: Index): Promise<void> {
    const other: Index = index === 0 ? 1 : 0
    const folder = this.#folder(index)
    const signal = join(folder, 'standby.signal')
    if (!existsSync(signal)) {
      await copyPostgres({ adminUrl: this.urlOf(other), from: this.#folder(other), to: folder })
      const { uid, gid } = statSync(folder)
      writeFileSync(signal, '')
      chownSync(signal, uid, gid)
    }
    const { password } = this.#options
    const primary = `host=127.0.0.1 port=${this.#ports[other]} user=postgres password=${password}`
    this.#configure(index, `primary_conninfo = '${primary} application_name=standby'`)
  }

  /** Has the primary wait for the standby, as soon as that one has caught up. Ends when either of them does. */
  async #attach(): Promise<void> {
    const { primary } = this.#roles
    const pids = [...this.#pids]
    const areBoth = () =>
      !this.#isStopping && this.#pids.every((pid, index) => pid !== null && pid === pids[index])
    const until = async (text: string) => {
      const isTrue = async () => (await ask(this.urlOf(primary), text).catch(() => [])).length > 0
      while (areBoth() && !(await isTrue())) await delay(POLL_MS)
    }
    const follows = `SELECT FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'`
    await until(follows)
    await this.#inTurn(async () => {
      if (!areBoth()) return
      this.#configure(primary, `synchronous_standby_names = 'standby'`)
      await until(`${follows} AND sync_state = 'sync'`)
      if (!areBoth()) return
      this.#setRoles({ primary, isSynchronous: true })
      this.#options.log(`postgres-${1 - primary + 1} follows postgres-${primary + 1} synchronously`)
    })
  }

  /** Watches the primary while it runs, and has it replaced when it is frozen. */
  async #watch(index: Index, pid: number): Promise<void> {
    const isPrimary = () => !this.#isStopping && this.#pids[index] === pid && this.#roles.primary === index
    let unanswered = 0
    while (isPrimary()) {
      const standby: Index = index === 0 ? 1 : 0
      const [isAnswering, isStandbyAnswering] = await Promise.all([
        answers(this.urlOf(index)),
        answers(this.urlOf(standby)),
      ])
      if (isAnswering) unanswered = 0
      // Where neither answers in time, the machine is busy.
      else if (isStandbyAnswering) unanswered += 1
      if (
        unanswered >= MOST_UNANSWERED &&
        isPrimary() &&
        this.#roles.isSynchronous &&
        this.#pids[standby] !== null
      )
        return this.#inTurn(() => this.#fence(index, pid))
      await delay(ASK_EVERY_MS)
    }
  }

  /**
   * Kills a frozen primary with all its processes, so that no process resumes and writes: its exit then promotes the
   * standby.
   */
  async #fence(index: Index, pid: number): Promise<void> {
    if (this.#pids[index] !== pid) return
    this.#options.log(`postgres-${index + 1} has not answered for ${FROZEN_AFTER_MS / 1_000} s and is killed`)
    const pids = [pid, ...childrenOf(pid)]
    for (const each of pids) killIfRunning(each)
    while (pids.some((each) => identityOf(each) !== null)) await delay(POLL_MS)
  }

  /** Promotes a standby, as often as it takes: on a busy machine it may not answer in time. */
  async #promote(index: Index, pid: number): Promise<void> {
    const promote = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_promote(true, 5) ELSE true END AS promoted'
    const isPromoted = async () => {
      const [row] = await ask<{ promoted: boolean }>(this.urlOf(index), promote)
      return row?.promoted === true
    }
    const failed = (error: unknown) => {
      this.#options.log(`postgres-${index + 1} is not promoted yet: ${String(error)}`)
      return false
    }
    while (!this.#isStopping && this.#pids[index] === pid && !(await isPromoted().catch(failed)))
      await delay(POLL_MS)
  }

  /**
   * Promotes the standby of a primary that has died, if it has everything that was acknowledged. The former primary may
   * have what never was: it comes back as a copy of the new one.
   */
  async #onExit(index: Index): Promise<void> {
    const { primary, isSynchronous } = this.#roles
    if (this.#isStopping || primary !== index || !isSynchronous) return
    const standby: Index = index === 0 ? 1 : 0
    const pid = this.#pids[standby]
    if (pid === null) return
    this.#setRoles({ primary: standby, isSynchronous: false })
    this.#configure(standby, '')
    await this.#promote(standby, pid)
    this.#options.log(`postgres-${standby + 1} takes over from postgres-${index + 1}`)
    void this.#watch(standby, pid)
  }
}

/**
 * Starts a primary and its synchronous standby, and has the standby take over when the primary's process ends or no
 * longer answers. The former primary comes back as the standby. Without a standby, the primary does not wait for one.
 */
export const startDatabasePair = async (options: Options): Promise<DatabasePair> => {
  const ports = [await freePort(), await freePort()] as const
  const pair = new Pair(options, ports)
  const first = pair.primary
  const second: Index = first === 0 ? 1 : 0
  const run = (index: Index) =>
    supervise({ name: `postgres-${index + 1}`, start: () => pair.start(index), log: options.log })
  const primary = await run(first)
  const standby = await run(second)
  const servers = first === 0 ? ([primary, standby] as const) : ([standby, primary] as const)
  return {
    servers,
    ports,
    adminUrl: () => pair.urlOf(pair.primary),
    primary: () => servers[pair.primary],
    async whenSynchronous() {
      while (!pair.isSynchronous) await delay(POLL_MS)
    },
    async stop() {
      pair.end()
      // The primary first: it hands its last log to the standby.
      await servers[pair.primary].stop()
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
