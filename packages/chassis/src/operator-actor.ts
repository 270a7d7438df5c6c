import { createHash } from 'node:crypto'

/** How the name of the key of the setting `OPERATOR_API_KEY` begins in the audit log. */
export const OPERATOR_KEY = 'operator:'

const FINGERPRINT_LENGTH = 8

/** The name of the key of the setting `OPERATOR_API_KEY` in the audit log: its fingerprint. */
export const operatorActorOf = (operatorKey: string): string =>
  OPERATOR_KEY + createHash('sha256').update(operatorKey).digest('hex').slice(0, FINGERPRINT_LENGTH)
