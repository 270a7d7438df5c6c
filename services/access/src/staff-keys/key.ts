import { randomBytes } from 'node:crypto'
import type { Vault } from '@causeway/chassis'

const PURPOSE = 'staff-key'
const PREFIX = 'staff_'
const KEY_BYTES = 32

/** A new key: 256 random bits after a prefix by which scanners find leaked keys. */
export const newStaffKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url')

/** The keyed hash that is stored of a key: without the service's key a stolen table does not allow even an offline guess. */
export const macOfStaffKey = (vault: Vault, key: string): string => vault.mac(PURPOSE, key).toString('hex')
