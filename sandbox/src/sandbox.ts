import { randomBytes } from 'node:crypto'
import { type Clock, createClock } from '@causeway/chassis'
import express, { type RequestHandler } from 'express'
import { createCards } from './card/cards.ts'
import { createLedger } from './chain/ledger.ts'
import { chainRoutes } from './chain/routes.ts'
import { createClockHand } from './clock/hand.ts'
import type { SandboxConfig } from './config.ts'
import { clockControls } from './control/clock.ts'
import { depositControls } from './control/deposits.ts'
import { faultControls } from './control/faults.ts'
import { openDatabase } from './database.ts'
import { createFaults, type Faults, type Target } from './faults/faults.ts'
import { faultGate } from './faults/middleware.ts'
import { answerError, notFound } from './http/answers.ts'
import { createListener, type Listener } from './http/listener.ts'
import { createOnramp } from './onramp/onramp.ts'

/** The outside world for development and tests. Never part of a production deployment. */
export type Sandbox = Readonly<{
  /** @throws Error of one line when a port is taken */
  start: () => Promise<void>
  /** Answers the calls that wait, then closes ports and state. */
  stop: () => Promise<void>
  /** Base address of the control endpoints, known after start. */
  url: () => string
  /** Base address of the chain; the same as `url` unless it has a port of its own. */
  chainUrl: () => string
  /** Base address of the card processors; the same as `url` unless they have a port of their own. */
  cardUrl: () => string
  /** Base address of the onramp provider; the same as `url` unless it has a port of its own. */
  onrampUrl: () => string
}>

/** A part of the outside world that faults can befall by itself. */
type Part = Readonly<{
  target: Target
  path: string
  api: RequestHandler
  /** The setting that names its own port, and that port; null: it is served on the main one. */
  setting: string
  port: number | null
}>

const JSON_LIMIT = '1mb'
const STOP_GRACE_MS = 500

const createApp = (mount: (app: express.Express) => void): express.Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  mount(app)
  app.use(notFound)
  app.use(answerError)
  return app
}

const health: RequestHandler = (_request, response) => void response.json({ status: 'ok' })

const partOf =
  (faults: Faults, json: RequestHandler) =>
  (target: Target, path: string, api: RequestHandler, port: number | null): Part => ({
    target,
    path,
    api: express.Router().use(faultGate(faults, target), json, api),
    setting: `SANDBOX_${target.toUpperCase()}_PORT`,
    port,
  })

export const createSandbox = (config: SandboxConfig, clock: Clock = createClock()): Sandbox => {
  const { host, publicUrl, onrampSecret: secret = randomBytes(16).toString('hex') } = config
  const where = { host, publicUrl }
  const database = openDatabase(config.dataFolder)
  const hand = createClockHand({ bus: config.bus ?? null, clock, database })
  const stopping = new AbortController()
  const faults = createFaults()
  const ledger = createLedger(database)
  const json = express.json({ limit: JSON_LIMIT })
  const urlOf = (listener: Listener) => `http://${host}:${listener.port()}`
  const surroundings = {
    database,
    clock,
    pageBaseUrl: () => publicUrl ?? urlOf(main),
    stopping: stopping.signal,
  }
  const cards = createCards({ ...surroundings, secret: config.cardSecret })
  const onramps = createOnramp({ ...surroundings, secret })
  const part = partOf(faults, json)
  const parts = [
    part('chain', '/chain', chainRoutes(ledger, stopping.signal), config.chainPort),
    part('card', '/cards', cards.api, config.cardPort),
    part('onramp', '/onramp', onramps.api, config.onrampPort ?? null),
  ]
  const own = new Map(
    parts.flatMap(({ target, path, api, setting, port }) => {
      const handler = createApp((app) => app.use(path, api))
      return port === null ? [] : [[target, createListener({ ...where, port, setting, handler })] as const]
    }),
  )
  const applyFaults = async () => {
    for (const [target, listener] of own)
      await (faults.refusesConnections(target) ? listener.close(0) : listener.open())
  }
  const main = createListener({
    ...where,
    port: config.port,
    setting: 'SANDBOX_PORT',
    handler: createApp((app) => {
      const controls = [depositControls(ledger), cards.controls, onramps.controls, clockControls(hand, clock)]
      app.get('/healthz', health)
      app.use('/control', json, ...controls, faultControls(faults, applyFaults))
      app.use('/pay', cards.page)
      app.use('/buy', onramps.page)
      for (const { path, api, port } of parts) if (port === null) app.use(path, api)
    }),
  })
  const urlOfPart = (target: Target) => urlOf(own.get(target) ?? main)

  return {
    start: async () => {
      await hand.start()
      await main.open()
      await applyFaults()
      cards.start()
      onramps.start()
    },
    stop: async () => {
      if (stopping.signal.aborted) return
      stopping.abort()
      for (const listener of [main, ...own.values()]) await listener.close(STOP_GRACE_MS)
      await Promise.all([cards.stopped(), onramps.stopped()])
      await hand.stop()
      database.close()
    },
    url: () => urlOf(main),
    chainUrl: () => urlOfPart('chain'),
    cardUrl: () => urlOfPart('card'),
    onrampUrl: () => urlOfPart('onramp'),
  }
}
