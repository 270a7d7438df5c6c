import { hkdfSync } from 'node:crypto'
import type { DatabaseName } from '../infrastructure/postgres-databases.ts'

/** Who seals something, and so has a key of its own. The onramp service holds nothing that is secret. */
export const SEALING_SERVICES = [
  'onboarding',
  'payments',
  'refunds',
  'webhooks',
  'gateway',
] as const satisfies readonly DatabaseName[]
export type SealingService = (typeof SEALING_SERVICES)[number]

export const isSealing = (name: string): name is SealingService =>
  SEALING_SERVICES.some((each) => each === name)

/**
 * The `ENCRYPTION_KEY` of one service, derived from a root key that no service has (RFC 5869): from one key nobody
 * comes to the root or to another one.
 * @param rootKey 32 bytes in base64
 * @returns 32 bytes in base64
 * @throws Error that names the setting
 */
export const serviceKeyOf = (rootKey: string, service: SealingService): string => {
  const root = Buffer.from(rootKey, 'base64')
  if (root.length !== 32) throw new Error('ENCRYPTION_KEY must be 32 bytes in base64')
  return Buffer.from(hkdfSync('sha256', root, '', `causeway/service-key/${service}`, 32)).toString('base64')
}
