import { hkdfSync } from 'node:crypto'
import type { DatabaseName } from '../infrastructure/postgres-databases.ts'

/** Components that encrypt data, and so have a key of their own. The onramp service stores no secrets. */
export const SEALING_SERVICES = [
  'onboarding',
  'payments',
  'refunds',
  'webhooks',
  'ledger',
  'gateway',
] as const satisfies readonly DatabaseName[]
export type SealingService = (typeof SEALING_SERVICES)[number]

export const isSealing = (name: string): name is SealingService =>
  SEALING_SERVICES.some((each) => each === name)

/**
 * The `ENCRYPTION_KEY` of one service, derived from a root key that no service has (RFC 5869): neither the root key nor
 * another service's key can be computed from it.
 * @param rootKey 32 bytes in base64
 * @returns 32 bytes in base64
 * @throws Error that names the setting
 */
export const serviceKeyOf = (rootKey: string, service: SealingService): string => {
  const root = Buffer.from(rootKey, 'base64')
  if (root.length !== 32) throw new Error('ENCRYPTION_KEY must be 32 bytes in base64')
  return Buffer.from(hkdfSync('sha256', root, '', `causeway/service-key/${service}`, 32)).toString('base64')
}
