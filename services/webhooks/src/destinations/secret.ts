import { randomBytes } from 'node:crypto'

/** 32 random bytes as 64 hex characters (decisions §12). */
export const newSecret = (): string => randomBytes(32).toString('hex')
