import type { RoundPlan } from '../measure/rounds.ts'

/** The size of a benchmark. */
export type Effort = RoundPlan &
  Readonly<{
    /** The short form only proves that everything still runs; its figures mean nothing. */
    quick: boolean
    /** Customers that reads are spread over. */
    customers: number
    /** Verified customers that orders are spread over. */
    merchants: number
    /** Customers of the partner whose list is read. */
    listed: number
    /** Orders, half of each kind, and the most deliveries, that lists are read from; deliveries are made for so long. */
    orders: number
    deliveries: number
    fillingMs: number
    /** Open onramp orders: the large and the small number. */
    purchases: number
    fewPurchases: number
    /** Blocks of a chain, and open crypto orders: the large and the small number. */
    blocks: number
    openOrders: number
    fewOpenOrders: number
    /** How long a reader that has caught up reads on, to see its memory. */
    readOnMs: number
    /** Card orders of one storm of notices. */
    stormOrders: number
    /** Dead destinations, in addition to the measured one. */
    deadDestinations: number
    /** Deliveries that wait for one destination. */
    backlog: number
    /** How long a snapshot is held before it is measured. */
    holdMs: number
    /** How long each part of a case of a queue takes. */
    caseMs: number
    /** Events of one round of fan-out. */
    events: number
  }>

/** Where a benchmark works. */
export type Site = Readonly<{
  /** A folder that is removed afterwards. */
  folder: string
  /** Another checkout of the platform, installed, that the product is compared with in the same rounds. */
  against?: string
  /** Registers what was started, to be stopped at the end in reverse order, whatever happens. */
  keep: <T extends { stop: () => Promise<void> }>(started: T) => T
}>

/** A benchmark; `run` returns its report. */
export type Bench = Readonly<{
  name: string
  title: string
  run: (effort: Effort, site: Site) => Promise<string[]>
}>

export const FULL: Effort = {
  quick: false,
  rounds: 7,
  durationMs: 4_000,
  warmUpMs: 4_000,
  disturbedRounds: 10,
  customers: 1_000,
  merchants: 100,
  listed: 1_000_000,
  orders: 10_000_000,
  deliveries: 50_000_000,
  fillingMs: 600_000,
  purchases: 100_000,
  fewPurchases: 1_000,
  blocks: 10_000,
  readOnMs: 60_000,
  openOrders: 10_000,
  fewOpenOrders: 10,
  stormOrders: 1_000,
  deadDestinations: 10_000,
  backlog: 1_000_000,
  holdMs: 600_000,
  caseMs: 6_000,
  events: 20_000,
}
export const QUICK: Effort = {
  quick: true,
  rounds: 1,
  durationMs: 300,
  warmUpMs: 100,
  disturbedRounds: 0,
  customers: 20,
  merchants: 4,
  listed: 2_000,
  orders: 4_000,
  deliveries: 20_000,
  fillingMs: 10_000,
  purchases: 2_000,
  fewPurchases: 100,
  blocks: 400,
  readOnMs: 600,
  openOrders: 200,
  fewOpenOrders: 10,
  stormOrders: 20,
  deadDestinations: 100,
  backlog: 2_000,
  holdMs: 3_000,
  caseMs: 1_500,
  events: 200,
}
