import { randomBytes } from 'node:crypto'

/** 32 random bytes as 64 hex characters (decisions §12). */
export const newSecret = (): string => randomBytes(32).toString('hex')

const HOUR_MS = 3_600_000

/** Until when the former secret signs beside a new one; null where it stops at once. */
export const overlapEnd = (now: Date, hours: number | undefined): Date | null =>
  hours === undefined ? null : new Date(now.getTime() + hours * HOUR_MS)

/** What a sealed secret is bound to: it opens on its own row alone. */
export const secretContext = (destinationId: string): string => `webhook-secret:${destinationId}`
