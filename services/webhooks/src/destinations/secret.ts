import { randomBytes } from 'node:crypto'

/** 32 random bytes as 64 hex characters (decisions §12). */
export const newSecret = (): string => randomBytes(32).toString('hex')

/** What a sealed secret is bound to: it opens on its own row alone. */
export const secretContext = (destinationId: string): string => `webhook-secret:${destinationId}`
