import { randomBytes } from 'node:crypto'
import type { Vault } from '@causeway/chassis'

const PURPOSE = 'merchant-api-key'
const PREFIX = 'mk_'
const KEY_BYTES = 32
const HINT_LENGTH = 4

/** A new key: 256 random bits after a prefix by which scanners find leaked keys. */
export const newApiKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url')

/** The keyed hash that is stored of a key: without the service's key a stolen table does not allow even an offline guess. */
export const macOfApiKey = (vault: Vault, key: string): string => vault.mac(PURPOSE, key).toString('hex')

/** The last four characters, by which a merchant recognises its keys; over 230 bits stay secret. */
export const hintOfApiKey = (key: string): string => key.slice(-HINT_LENGTH)
