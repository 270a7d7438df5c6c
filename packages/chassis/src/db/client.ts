import pg from 'pg'
import type { PrimaryFinder } from './primary-finder.ts'

type Callback = (error: Error | null, client?: pg.Client) => void

/** Routine name in the warning of a server that stops waiting for its synchronous standby; never translated. */
const NOT_REPLICATED = 'SyncRepWaitForLSN'

/**
 * A client that connects to the server that takes writes, and that trusts no commit which only that server has: when
 * a statement timeout ends the wait for the synchronous standby, PostgreSQL answers with success and a warning. The
 * connection is cut at the warning, so that the outcome counts as unknown.
 */
export const createClientClass = ({ find, forget }: PrimaryFinder): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', (error) => forget(error, undefined))
      this.on('notice', ({ routine }) => {
        if (routine !== NOT_REPLICATED) return
        const error = new Error('The commit was not replicated: its outcome is unknown')
        this.connection.stream.destroy(error)
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<pg.Client> | void {
      const connecting = this.#connectToPrimary()
      if (callback === undefined) return connecting
      connecting.then(
        (client) => callback(null, client),
        (error: unknown) => callback(error as Error),
      )
    }

    async #connectToPrimary(): Promise<pg.Client> {
      const { password, ...server } = await find()
      // Without one in the URL the client looks for it elsewhere.
      Object.assign(this, server, password === '' ? {} : { password })
      try {
        return await super.connect()
      } catch (error) {
        forget(error, password)
        throw error
      }
    }
  }
