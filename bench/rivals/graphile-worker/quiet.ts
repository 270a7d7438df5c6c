import { Logger } from 'graphile-worker'

/** Its own logger writes a line for every job. */
export const QUIET = new Logger(() => () => undefined)
