import { openDatabases } from '../contract/database.ts'
import { preparePlatform } from '../contract/platform-state.ts'
import { buildTenant, newContractPartner, startWebhookReceiver, type Tenant } from '../contract/tenant.ts'
import type { TestPlatform } from '../journeys/platform.ts'

export type TwoTenants = Readonly<{ own: Tenant; another: Tenant; stop: () => Promise<void> }>

/** Settings of a platform that the tenants are built on: their disputes block nobody. */
export const TENANTS_ENV = { CHARGEBACK_THRESHOLD_MIN: '1000', ACCESS_TOKEN_TTL: '12h' } as const

/** Two tenants of two partners, each with one object of every kind, and what belongs to no tenant. */
export const buildTwoTenants = async (platform: TestPlatform): Promise<TwoTenants> => {
  const receiver = await startWebhookReceiver()
  const databases = await openDatabases(platform)
  await preparePlatform(platform, databases)
  await databases.close()
  const build = async () => {
    const { partnerId, api, causeway } = await newContractPartner(platform)
    return buildTenant({ platform, receiver, partnerId, partner: api, causeway })
  }
  const [own, another] = await Promise.all([build(), build()])
  return { own, another, stop: () => receiver.stop() }
}
