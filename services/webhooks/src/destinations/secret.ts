import { randomBytes } from 'node:crypto'

/** 32 random bytes as 64 hex characters (decisions §12). */
export const newSecret = (): string => randomBytes(32).toString('hex')

const HOUR_MS = 3_600_000

/** Returns the time until which the former secret also signs; null if it ends immediately. */
export const overlapEnd = (now: Date, hours: number | undefined): Date | null =>
  hours === undefined ? null : new Date(now.getTime() + hours * HOUR_MS)

/** Returns the context of a sealed secret: it only opens on its row. */
export const secretContext = (destinationId: string): string => `webhook-secret:${destinationId}`
