import type { Vault } from '@causeway/chassis'

const PURPOSE = 'person-email'

/** The form of an address by which people are found: mailboxes that differ only in case are taken as one. */
const normalized = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/** The keyed hash by which an address is looked up. */
export const macOfEmail = (vault: Vault, email: string): string =>
  vault.mac(PURPOSE, normalized(email)).toString('hex')

/** The context to which the address of a person is bound. */
export const personContext = (personId: string): string => `person-email:${personId}`
/** The context to which the address of a request for a link is bound. */
export const signInRequestContext = (signInRequestId: string): string => `sign-in-email:${signInRequestId}`
