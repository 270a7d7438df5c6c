import { NotDoneError } from '../outcome.ts'

/** Name of the constraint that a unique violation (SQLSTATE 23505) broke, or null. */
export const uniqueViolation = (error: unknown): string | null => {
  const fault = error as { code?: unknown; constraint?: unknown }
  return fault.code === '23505' && typeof fault.constraint === 'string' ? fault.constraint : null
}

/** Checks whether an error violated this unique constraint. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  uniqueViolation(error) === constraint

const REFUSED_BEFORE_EXECUTION = new Set([
  'ECONNREFUSED',
  'ENOENT',
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
])

/** Checks whether an error occurred before anything was sent to the database. */
export const wasNotSent = (error: unknown): boolean => {
  const fault = error as { code?: unknown; message?: unknown }
  return (
    REFUSED_BEFORE_EXECUTION.has(String(fault.code)) ||
    /timeout exceeded when trying to connect|not queryable/.test(String(fault.message))
  )
}

/** Checks whether the server refused the password (SQLSTATE 28P01): only the attempt to connect was sent. */
export const isPasswordRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '28P01'

/** Connects once more where the password was refused: while it is being replaced, the other one is used then. */
export const withOtherPassword = async <T>(connect: () => Promise<T>): Promise<T> => {
  try {
    return await connect()
  } catch (error) {
    if (!isPasswordRefused(error)) throw error
    return connect()
  }
}

const NETWORK_FAULTS = new Set([
  ...REFUSED_BEFORE_EXECUTION,
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
])

/**
 * Checks whether an error means that the database is temporarily unavailable, as during a restart or a failover. It does
 * not show whether statements sent before had an effect.
 */
export const isAway = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return (
    NETWORK_FAULTS.has(String(code)) ||
    /^08/.test(String(code)) ||
    /Connection terminated|timeout exp|timeout exceeded|not queryable|read timeout|takes writes/.test(
      String(message),
    )
  )
}

/**
 * Faults that roll back the whole transaction: deadlock, lock timeout, statement timeout, serialisation, a server that
 * has become a standby, and a full disk or memory. A commit that the disk cannot take is no such fault: the server ends.
 */
const ROLLED_BACK = new Set(['40P01', '40001', '55P03', '57014', '25006', '53100', '53200'])
export const wasRolledBack = (error: unknown): boolean =>
  ROLLED_BACK.has(String((error as { code?: unknown }).code))

/** A NotDoneError where the fault of an autocommitted statement proves that nothing was done; else null. */
export const notDone = (error: unknown): NotDoneError | null => {
  if (wasNotSent(error)) return new NotDoneError('The database cannot be reached', { cause: error })
  if (wasRolledBack(error)) return new NotDoneError('The statement was rolled back', { cause: error })
  return null
}
