import {
  deadDeliveries,
  filteredDeliveries,
  findDelivery,
  listDeliveries,
  waitingDeliveries,
} from '../../services/webhooks/src/deliveries/store.ts'
import { listDestinations } from '../../services/webhooks/src/destinations/store.ts'
import {
  findEvent,
  findScanPosition,
  listEvents,
  listEventsOfDestination,
} from '../../services/webhooks/src/events/store.ts'
import { listRegistrations } from '../../services/webhooks/src/registrations/store.ts'
import { id, idOf, type ServiceLists, type TimedStatement } from './filling.ts'

const DESTINATIONS = 1_000
const LIMIT = 100
/** Twenty a second: a month of 50,000,000. */
const AT = `timestamptz '2026-01-01Z' + n * interval '50 milliseconds'`
const NUMBERS = 'FROM generate_series($1::bigint, $2::bigint) AS n'

/** Every fifth delivery is for the busiest destination; each of its twentieth is dead. */
const OWNER = `CASE n % 5 WHEN 0 THEN 1 ELSE 2 + n % ${DESTINATIONS - 1} END`
const BUSY = { owner: id('prt', 1), webhook: id('whk', 1) }

const destinations = {
  count: DESTINATIONS,
  insert: `INSERT INTO destinations (id, channel, owner_id, url, event_types, secret_sealed, revision, created_at)
    SELECT ${idOf('whk')}, 'partner', ${idOf('prt')}, 'https://example.com', '{}', 'x', n, ${AT}
    FROM generate_series($1::int, $2::int) AS n`,
}

const deliveriesOf = (owner: string, state: string, type: string): string => `
  WITH logged AS (
    INSERT INTO events (owner_id, event_id, type, body, created_at)
    SELECT ${idOf('prt', owner)}, ${idOf('evt')}, ${type}, '{}', ${AT} ${NUMBERS}
  ), failed AS (
    INSERT INTO attempts (delivery_id, at, status_code, latency_ms)
    SELECT ${idOf('dlv')}, ${AT}, 503, 20 ${NUMBERS} WHERE n % 100 = 5
  )
  INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
    next_attempt_at, created_at, first_at, first_status_code, first_latency_ms)
  SELECT ${idOf('whk', owner)}, ${idOf('dlv')}, ${idOf('prt', owner)}, ${idOf('evt')}, ${type}, ${state}, 0, 0, ${AT},
    CASE ${state} WHEN 'waiting' THEN ${AT} END, ${AT}, ${AT}, 200, 20 ${NUMBERS}`

/** After the others: deliveries of one destination each, numbered from `from`. */
const added = (from: number, count: number, destination: number, state: string): string =>
  deliveriesOf(destination.toString(), `'${state}'`, `'paid'`)
    .replaceAll('$1', from.toString())
    .replaceAll('$2', (from + count - 1).toString())

type Log = Readonly<{ owner: string; webhook: string }>
const logOf = (destination: number): Log => ({
  owner: id('prt', destination),
  webhook: id('whk', destination),
})

const EVER = { since: new Date(0), until: new Date('9999-01-01Z'), oldestAttempt: new Date(0) }
const deliverySpan = ({ owner, webhook }: Log, before: number) => ({
  ...EVER,
  ownerId: owner,
  webhookId: webhook,
  fromId: 'dlv_',
  beforeId: id('dlv', before),
  limit: LIMIT,
})
const eventSpan = ({ owner }: Log, before: number) => ({
  ...EVER,
  ownerId: owner,
  fromId: 'evt_',
  beforeId: id('evt', before),
  limit: LIMIT,
})

const [FEW, BACKLOG, RECOVERED] = [2, 3, 4]
const deliveryStatements = (filled: number, end: number): TimedStatement[] => {
  const all = { state: null, eventType: null }
  return [
    {
      name: 'deliveries',
      run: (db, random) => listDeliveries(db.pooled, deliverySpan(BUSY, random(filled))),
    },
    {
      name: 'delivered ones',
      run: (db, random) =>
        filteredDeliveries.list(db.pooled, {
          ...deliverySpan(BUSY, random(filled)),
          ...all,
          state: 'delivered',
        }),
    },
    {
      name: 'deliveries of a type that is not there: 10,000 scanned',
      run: (db, random) =>
        filteredDeliveries.list(db.pooled, {
          ...deliverySpan(BUSY, random(filled)),
          ...all,
          eventType: 'none',
        }),
    },
    {
      name: '… and its continuation',
      run: (db, random) => filteredDeliveries.findScanPosition(db.pooled, deliverySpan(BUSY, random(filled))),
    },
    {
      name: 'dead deliveries',
      run: (db, random) =>
        deadDeliveries.list(db.pooled, { ...deliverySpan(BUSY, random(filled)), ...all, state: 'dead' }),
    },
    {
      name: 'dead deliveries of a type that is not there: 10,000 scanned',
      run: (db, random) =>
        deadDeliveries.list(db.pooled, {
          ...deliverySpan(BUSY, random(filled)),
          state: 'dead',
          eventType: 'none',
        }),
    },
    ...[
      { name: 'waiting deliveries: 1,000', destination: FEW },
      { name: 'waiting deliveries: the newest 100,000', destination: BACKLOG },
      { name: 'waiting deliveries: 100,000 behind as many delivered', destination: RECOVERED },
    ].map(({ name, destination }) => ({
      name,
      run: (db: Parameters<TimedStatement['run']>[0]) =>
        waitingDeliveries.list(db.pooled, { ...deliverySpan(logOf(destination), end), ...all }),
    })),
    {
      name: '… and the continuation of the last',
      run: (db) => waitingDeliveries.findScanPosition(db.pooled, deliverySpan(logOf(RECOVERED), end)),
    },
    {
      name: 'one delivery',
      run: (db, random) =>
        findDelivery(db, {
          oldestAttempt: new Date(0),
          ownerId: BUSY.owner,
          webhookId: BUSY.webhook,
          id: id('dlv', 5 * random(filled / 5)),
        }),
    },
  ]
}

const eventStatements = (filled: number): TimedStatement[] => {
  const list = (
    name: string,
    filter: Readonly<{ eventType: string | null; status: string | null }>,
  ): TimedStatement => ({
    name,
    run: (db, random) => listEvents(db.pooled, { ...eventSpan(BUSY, random(filled)), ...filter }),
  })
  return [
    list('events', { eventType: null, status: null }),
    list('events of a type that is not there: 10,000 scanned', { eventType: 'none', status: null }),
    list('events that are dead somewhere', { eventType: null, status: 'dead' }),
    list('events that nobody took: 10,000 scanned', { eventType: null, status: 'missed' }),
    {
      name: '… and its continuation',
      run: (db, random) => findScanPosition(db.pooled, eventSpan(BUSY, random(filled))),
    },
    {
      name: 'events of a destination',
      run: (db, random) =>
        listEventsOfDestination(db.pooled, {
          ...eventSpan(BUSY, random(filled)),
          webhookId: BUSY.webhook,
          eventType: null,
          status: null,
        }),
    },
    {
      name: 'one event',
      run: (db, random) =>
        findEvent(db, {
          ownerId: BUSY.owner,
          eventId: id('evt', 5 * random(filled / 5)),
          oldest: new Date(0),
        }),
    },
    {
      name: 'destinations of a partner',
      run: (db, random) =>
        listDestinations(db, {
          channel: 'partner',
          ownerId: id('prt', random(DESTINATIONS)),
          afterId: '',
          limit: LIMIT,
        }),
    },
    {
      name: 'registrations of a merchant',
      run: (db) => listRegistrations(db, { merchantId: id('cus', 1), afterId: '', limit: LIMIT }),
    },
  ]
}

/** @param many deliveries are made until they are so many, or the time is over */
export const webhooksLists = (many: number, withinMs: number): ServiceLists => {
  const few = Math.min(1_000, many)
  const backlog = Math.min(100_000, many)
  // Behind all that may have been made by then.
  const first = many + 1
  return {
    service: 'webhooks',
    rows: [destinations],
    more: {
      count: many,
      withinMs,
      insert: deliveriesOf(OWNER, `CASE WHEN n % 100 = 5 THEN 'dead' ELSE 'delivered' END`, `'paid'`),
    },
    after: [
      added(first, few, FEW, 'waiting'),
      added(first + few, backlog, BACKLOG, 'waiting'),
      added(first + few + backlog, backlog, RECOVERED, 'waiting'),
      added(first + few + 2 * backlog, backlog, RECOVERED, 'delivered'),
    ],
    statements: (filled) => [
      ...deliveryStatements(filled, first + few + 3 * backlog),
      ...eventStatements(filled),
    ],
  }
}
