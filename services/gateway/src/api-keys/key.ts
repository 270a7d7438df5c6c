import { randomBytes } from 'node:crypto'
import type { Vault } from '@causeway/chassis'

const PURPOSE = 'merchant-api-key'
const PREFIX = 'mk_'
const KEY_BYTES = 32
const HINT_LENGTH = 4

/** What is written otherwise was never issued, and needs no look-up. */
export const API_KEY = /^mk_[\w-]{43}$/

/** A new key: 256 random bits behind a prefix by which leaked ones are found. */
export const newApiKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url')

/** What is stored of a key: without the root key a stolen table does not even allow to try. */
export const macOfApiKey = (vault: Vault, key: string): string => vault.mac(PURPOSE, key).toString('hex')

/** The last characters, by which a merchant tells its keys apart; over 230 bits stay unknown. */
export const hintOfApiKey = (key: string): string => key.slice(-HINT_LENGTH)
