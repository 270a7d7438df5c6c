import { randomBytes } from 'node:crypto'
import type { Vault } from '@causeway/chassis'

const PURPOSE = 'staff-key'
const PREFIX = 'staff_'
const KEY_BYTES = 32

/** What is written otherwise was never issued, and needs no look-up. */
export const STAFF_KEY = /^staff_[\w-]{43}$/

/** A new key: 256 random bits behind a prefix by which leaked ones are found. */
export const newStaffKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url')

/** What is stored of a key: without the root key a stolen table does not even allow to try. */
export const macOfStaffKey = (vault: Vault, key: string): string => vault.mac(PURPOSE, key).toString('hex')
