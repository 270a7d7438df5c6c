import pg from 'pg'
import type { PrimaryFinder } from './primary-finder.ts'

type Callback = (error: Error | null, client?: pg.Client) => void

/** What a server sends when it stops waiting for its synchronous standby; the word is never translated. */
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
      this.on('error', forget)
      this.on('notice', ({ routine }) => {
        if (routine !== NOT_REPLICATED) return
        const error = new Error('The commit was not replicated: whether it lasts is unknown')
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
      Object.assign(this, await find())
      try {
        return await super.connect()
      } catch (error) {
        forget()
        throw error
      }
    }
  }
