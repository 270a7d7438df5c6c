import { randomBytes } from 'node:crypto'
import { type Clock, createClock, createLogger } from '@causeway/chassis'
import express, { type RequestHandler } from 'express'
import { createAccount } from './bank/account.ts'
import { bankControls } from './bank/controls.ts'
import { createCards } from './card/cards.ts'
import { createLedger } from './chain/ledger.ts'
import { chainRoutes } from './chain/routes.ts'
import { createTimeControl } from './time-control.ts'
import type { SandboxConfig } from './config.ts'
import { clockControls } from './control/clock.ts'
import { depositControls, payAddress } from './control/deposits.ts'
import { faultControls } from './control/faults.ts'
import { openDatabase } from './database.ts'
import { createFaults, type Faults, type Target } from './faults/faults.ts'
import { injectFaults } from './faults/middleware.ts'
import { createErrorHandler, notFound } from './http/answers.ts'
import { createListener, type Listener } from './http/listener.ts'
import { createMailCatcher } from './mail/catcher.ts'
import { createInbox } from './mail/inbox.ts'
import { inboxRoutes, mailControls } from './mail/routes.ts'
import { createOnramp } from './onramp/onramp.ts'
import { designRoutes } from './screen-routes.ts'

/** Simulated external systems for development and tests. Never part of a production deployment. */
export type Sandbox = Readonly<{
  /** @throws Error of one line when a port is taken */
  start: () => Promise<void>
  /** Answers the pending long polls, then closes ports and database. */
  stop: () => Promise<void>
  /** Base address of the control endpoints, known after start. */
  url: () => string
  /** Base address of the chain; the same as `url` unless it has a separate port. */
  chainUrl: () => string
  /** Base address of the card processors; the same as `url` unless they have a separate port. */
  cardUrl: () => string
  /** Base address of the onramp provider; the same as `url` unless it has a separate port. */
  onrampUrl: () => string
  /** Address of the mail server; null: it has none. */
  mailUrl: () => string | null
}>

/** A simulated provider: faults are set for each one separately. */
type Provider = Readonly<{
  target: Target
  path: string
  api: RequestHandler
  /** The setting of its separate port, and that port; null: it is served on the main port. */
  setting: string
  port: number | null
}>

const JSON_LIMIT = '1mb'
const STOP_GRACE_MS = 500
/** A control call waits this long for the platform to do its part of an order that was just created. */
const PLATFORM_WAIT_MS = 3_000
/** Bound of a request to the platform's callback URLs. */
const CALLBACK_TIMEOUT_MS = 10_000

const platformOf = ({ timeoutFactor = 1, callbackBaseUrl = null }: SandboxConfig) => ({
  platformWaitMs: PLATFORM_WAIT_MS * timeoutFactor,
  callback: { baseUrl: callbackBaseUrl, timeoutMs: CALLBACK_TIMEOUT_MS * timeoutFactor },
})

const log = createLogger({ service: 'sandbox', level: 'warn' })

const createApp = (mount: (app: express.Express) => void): express.Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  mount(app)
  app.use(notFound)
  app.use(createErrorHandler(log))
  return app
}

const health: RequestHandler = (_request, response) => void response.json({ status: 'ok' })

const createProvider =
  (faults: Faults, json: RequestHandler) =>
  (target: Target, path: string, api: RequestHandler, port: number | null): Provider => ({
    target,
    path,
    api: express.Router().use(injectFaults(faults, target), json, api),
    setting: `SANDBOX_${target.toUpperCase()}_PORT`,
    port,
  })

/** The listeners of the providers that have a port of their own. */
const listenSeparately = (
  providers: readonly Provider[],
  address: Readonly<{ host: string; publicUrl: string | null }>,
): ReadonlyMap<Target, Listener> =>
  new Map(
    providers.flatMap(({ target, path, api, setting, port }) => {
      const handler = createApp((app) => app.use(path, api))
      return port === null ? [] : [[target, createListener({ ...address, port, setting, handler })] as const]
    }),
  )

const urlOf = (host: string, listener: Listener) => `http://${host}:${listener.port()}`

export const createSandbox = (config: SandboxConfig, clock: Clock = createClock()): Sandbox => {
  const { host, publicUrl, onrampSecret: secret = randomBytes(16).toString('hex') } = config
  const address = { host, publicUrl }
  const database = openDatabase(config.dataFolder)
  const timeControl = createTimeControl({ bus: config.bus ?? null, clock, log, database })
  const stopping = new AbortController()
  const faults = createFaults()
  const ledger = createLedger(database)
  const account = createAccount(database, clock)
  const inbox = createInbox()
  const { mailPort = null } = config
  const catcher = mailPort === null ? null : createMailCatcher({ inbox, clock, host, port: mailPort })
  const json = express.json({ limit: JSON_LIMIT })
  const dependencies = {
    database,
    clock,
    pageBaseUrl: () => publicUrl ?? urlOf(host, main),
    stopping: stopping.signal,
    ...platformOf(config),
  }
  const cards = createCards({
    ...dependencies,
    secret: config.cardSecret,
    bookPayout: account.bookPayout,
  })
  const onramps = createOnramp({ ...dependencies, secret, sendCrypto: payAddress(ledger) })
  const provider = createProvider(faults, json)
  const providers = [
    provider('chain', '/chain', chainRoutes(ledger, database, stopping.signal), config.chainPort),
    provider('card', '/cards', cards.api, config.cardPort),
    provider('onramp', '/onramp', onramps.api, config.onrampPort ?? null),
  ]
  const separateListeners = listenSeparately(providers, address)
  const applyFaults = async () => {
    for (const [target, listener] of separateListeners)
      await (faults.refusesConnections(target) ? listener.close(0) : listener.open())
  }
  const main = createListener({
    ...address,
    port: config.port,
    setting: 'SANDBOX_PORT',
    handler: createApp((app) => {
      const controls = [
        depositControls(ledger, dependencies.platformWaitMs),
        cards.controls,
        onramps.controls,
        bankControls(account, clock),
        mailControls(inbox, catcher),
        clockControls(timeControl, clock),
      ]
      app.get('/healthz', health)
      app.use('/control', json, ...controls, faultControls(faults, applyFaults))
      app.use(designRoutes())
      app.use('/pay', cards.page).use('/buy', onramps.page).use('/mail', inboxRoutes(inbox))
      for (const { path, api, port } of providers) if (port === null) app.use(path, api)
    }),
  })
  const urlOfProvider = (target: Target) => urlOf(host, separateListeners.get(target) ?? main)

  return {
    start: async () => {
      await timeControl.start()
      await main.open()
      await catcher?.open()
      await applyFaults()
      cards.start()
      onramps.start()
    },
    stop: async () => {
      if (stopping.signal.aborted) return
      stopping.abort()
      for (const listener of [main, ...separateListeners.values()]) await listener.close(STOP_GRACE_MS)
      await Promise.all([cards.stopped(), onramps.stopped(), catcher?.close()])
      await timeControl.stop()
      database.close()
    },
    url: () => urlOf(host, main),
    chainUrl: () => urlOfProvider('chain'),
    cardUrl: () => urlOfProvider('card'),
    onrampUrl: () => urlOfProvider('onramp'),
    mailUrl: () => (catcher === null ? null : `smtp://${host}:${catcher.port()}`),
  }
}
