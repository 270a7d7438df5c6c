import { NotDoneError } from '../outcome.ts'

/** Name of the constraint that a unique violation (SQLSTATE 23505) broke, or null. */
export const uniqueViolation = (error: unknown): string | null => {
  const fault = error as { code?: unknown; constraint?: unknown }
  return fault.code === '23505' && typeof fault.constraint === 'string' ? fault.constraint : null
}

/** Whether an error broke this very unique constraint. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  uniqueViolation(error) === constraint

const REFUSED_BEFORE_EXECUTION = new Set([
  'ECONNREFUSED',
  'ENOENT',
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
])

/** Whether a fault occurred before anything was sent to the database. */
export const wasNotSent = (error: unknown): boolean => {
  const fault = error as { code?: unknown; message?: unknown }
  return (
    REFUSED_BEFORE_EXECUTION.has(String(fault.code)) ||
    /timeout exceeded when trying to connect|not queryable/.test(String(fault.message))
  )
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
 * Whether a fault says that the database is away for a while, as it is while it restarts or another server takes over.
 * It proves nothing about what was sent before.
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
  if (wasRolledBack(error)) return new NotDoneError('The statement was undone', { cause: error })
  return null
}
