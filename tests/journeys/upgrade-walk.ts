import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@causeway/chassis/testing'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { signIn } from '@causeway/dev-env/platform/raw-client'
import { newCustomer, newPartner, registerReceiver } from './platform.ts'
import { checkOut, THIS_VERSION } from './released-code.ts'
import { findShopLosses, startShopLoad, type ShopLoad, type ShopLosses } from './upgrade-load.ts'
import { hasProcess, ROLLED, startSite, type Site } from './upgrade-site.ts'
import { findIntegration } from '@causeway/scenario'

/** Refuse keys of pairs that they do not know: CHANGELOG.md says what to do before one goes back to them. */
const REFUSE_LATER_KEYS = ['0.1.0']

export type UpgradeOptions = Readonly<{
  version: string
  commit: string
  /** Errands that begin in a second, of up to ten requests each. */
  perSecond: number
  /** Minimum time of load between two changes. */
  pauseMs: number
  log: (line: string) => void
}>

export type UpgradeResult = ShopLosses &
  Readonly<{
    requests: number
    /** Errands that were done in full. */
    errands: number
    /** Requests that were not answered as they should be. */
    failures: readonly string[]
    /** True if the permissions of NATS differ between the two versions. */
    changesPermissions: boolean
    /** True if payments of this version was ready while NATS refused it a subscription. */
    wasReadyTooEarly: boolean
    /** Docker calls of deploy/upgrade.sh, in its first and second run. */
    calls: readonly string[]
    callsAgain: readonly string[]
    /** Result of `audit:verify` on the log that both versions have written. */
    auditLog: string
    /** Secrets that deploy/upgrade.sh changed when it was run again. */
    changedAgain: readonly string[]
  }>

const createLoad = async (site: Site, perSecond: number) => {
  const partner = await newPartner(site)
  const receiver = await startReceiver()
  await registerReceiver(site, partner.partnerId, receiver)
  const { customerId, path: customer } = await newCustomer(site, partner.causeway)
  const integrationId = await findIntegration(partner.causeway, customerId)
  // A connection for each request: a gateway that stops may close an idle one in the moment in which a request is sent on
  // it, and only the client knows whether it may send that again (RFC 9112, 9.3.1).
  const { baseUrl } = site
  const headers = { connection: 'close' }
  const api = await signIn({
    baseUrl,
    headers,
    clientId: partner.clientId,
    clientSecret: partner.clientSecret,
  })
  const parties = { api, sandbox: site.sandbox, customer, integrationId }
  return { api: partner.api, receiver, load: startShopLoad(parties, perSecond) }
}

/** Lets the load go on, until it has done something in full since. */
const carryOn = async ({ made }: ShopLoad, pauseMs: number): Promise<void> => {
  const before = made.length
  await delay(pauseMs)
  await eventually(() => made.length > before)
}

/**
 * Replaces each process by one of a checkout, which is ready before the other is stopped. Those that the checkout does not
 * have are stopped last, because the gateway may call them.
 */
const roll = async (site: Site, tree: string, enter: (phase: string) => void): Promise<void> => {
  for (const name of ROLLED.filter((each) => hasProcess(tree, each))) {
    enter(`${name} of ${tree === THIS_VERSION ? 'this version' : 'the release'} starts`)
    await site.swap(name, await site.startReplica(tree, name))
  }
  for (const name of ROLLED.filter((each) => !hasProcess(tree, each))) {
    enter(`${name} stops, which the release does not have`)
    await site.remove(name)
  }
}

type Walk = UpgradeOptions &
  Readonly<{ site: Site; load: ShopLoad; earlier: string; enter: (phase: string) => void }>

const permissionsOf = (tree: string): string => readFileSync(join(tree, 'deploy', 'nats.conf'), 'utf8')

/** Checks whether payments of this version opens a subscription that the release's permissions do not allow. */
const opensMore = (earlier: string): boolean => {
  const allowed = permissionsOf(earlier)
  const opened = permissionsOf(THIS_VERSION).match(/"payments\.\S+ payments"/g) ?? []
  return opened.some((subscription) => !allowed.includes(subscription))
}

const goForward = async ({ site, load, pauseMs, earlier, enter }: Walk) => {
  enter('deploy/upgrade.sh is run')
  const { calls } = await site.operator.upgrade(THIS_VERSION)
  await site.prepare()
  site.operator.mountLaterKeys()
  enter('payments of this version starts with the permissions of the release')
  const payments = await site.startReplica(THIS_VERSION, 'payments')
  await carryOn(load, pauseMs)
  const wasReadyTooEarly = opensMore(earlier) && (await site.isReady(payments))
  enter('NATS is given the permissions of this version')
  // NATS refuses the replies to requests that are in flight while it reloads. This version's gateway asks again, that of
  // 0.1.0 does not (CHANGELOG.md).
  await load.restDuring(() => site.reloadBus())
  await site.swap('payments', payments)
  await roll(site, THIS_VERSION, enter)
  enter('deploy/upgrade.sh is run again')
  const { calls: callsAgain, changed: changedAgain } = await site.operator.upgrade(THIS_VERSION)
  await carryOn(load, pauseMs)
  // A record of this version follows those of the release.
  await newPartner(site)
  const auditLog = site.verifyAuditLog()
  const changesPermissions = permissionsOf(earlier) !== permissionsOf(THIS_VERSION)
  return { calls, callsAgain, changedAgain, auditLog, changesPermissions, wasReadyTooEarly }
}

const goBack = async ({ version, site, load, pauseMs, earlier, enter }: Walk): Promise<void> => {
  if (REFUSE_LATER_KEYS.includes(version)) site.operator.mountEarlierKeys()
  await roll(site, earlier, enter)
  enter('the release runs again')
  await carryOn(load, pauseMs)
}

/**
 * Upgrades an installation of the release to this version and takes it back, one process at a time, under a load in which
 * every request is sent once.
 */
export const walkUpgrade = async (options: UpgradeOptions): Promise<UpgradeResult> => {
  const earlier = mkdtempSync(join(tmpdir(), 'causeway-released-'))
  try {
    options.log(`the code of ${options.version} is installed`)
    checkOut(options.commit, earlier)
    options.log('the release starts')
    const site = await startSite(earlier)
    const { api, receiver, load } = await createLoad(site, options.perSecond)
    const enter = (phase: string) => {
      options.log(`${phase}; so far ${load.requests()} requests, ${load.failures.length} failures`)
      load.enter(phase)
    }
    try {
      enter('the release runs')
      await carryOn(load, options.pauseMs)
      const walk = { ...options, site, load, earlier, enter }
      const seen = await goForward(walk)
      await goBack(walk)
      await load.stop()
      const losses = await findShopLosses(api, load, receiver)
      enter('all was compared')
      return {
        requests: load.requests(),
        errands: load.made.length,
        failures: load.failures,
        ...losses,
        ...seen,
      }
    } finally {
      await load.stop()
      await site.stop()
      await receiver.stop()
    }
  } finally {
    rmSync(earlier, { recursive: true, force: true })
  }
}
