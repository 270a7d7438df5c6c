import { usageError } from '../cli-error.ts'
import { merchantLogOfStaff, partnerLog, type EventLog, type EventWithPayload } from '../session/event-log.ts'
import type { Session } from '../session/session.ts'
import type { Driver } from './driver.ts'
import { MERCHANT_DRIVERS } from './merchant-drivers.ts'
import { PARTNER_DRIVERS } from './partner-drivers.ts'
import { createScene } from './scene.ts'
import { until } from './waiting.ts'

/** An event that can be triggered. */
export type Triggerable = Readonly<{ name: string; channel: 'partner' | 'merchant'; how: string }>

export const TEST_EVENT = 'test'

const ofChannel = (
  channel: Triggerable['channel'],
  drivers: Readonly<Record<string, Driver>>,
): Triggerable[] =>
  Object.entries(drivers).map(([name, { how, movesClock }]) => ({
    name,
    channel,
    how: movesClock === true ? `${how} (--move-clock)` : how,
  }))

/** Every event of both channels. */
export const TRIGGERABLE: readonly Triggerable[] = [
  ...ofChannel('partner', PARTNER_DRIVERS),
  { name: TEST_EVENT, channel: 'merchant', how: 'a merchant tests its webhook' },
  ...ofChannel('merchant', MERCHANT_DRIVERS),
]

type Options = Readonly<{ customer: string | undefined; mayMoveClock: boolean }>

/** The newest event of a type, by its id. */
const newestOf = async (log: EventLog, type: string): Promise<string | null> => {
  for await (const { event_id } of log.events({ event_type: type })) return event_id
  return null
}

const arrival = (log: EventLog, type: string, before: string | null): Promise<EventWithPayload> =>
  until(type, async () => {
    const newest = await newestOf(log, type)
    return newest === null || newest === before ? null : log.event(newest)
  })

/**
 * Drives the sandbox until an event is in the platform's log.
 * @throws CliError when there is no such event, or what it takes was not allowed
 */
export const trigger = async (
  session: Session,
  name: string,
  { customer, mayMoveClock }: Options,
): Promise<EventWithPayload> => {
  const drivers: Readonly<Record<string, Driver>> = { ...PARTNER_DRIVERS, ...MERCHANT_DRIVERS }
  const driver = drivers[name]
  if (driver === undefined) throw usageError(`There is no event ${name}: causeway trigger --list lists all`)
  if (driver.movesClock === true && !mayMoveClock)
    throw usageError(
      `${name} takes hours of the sandbox's time, which goes forward for all that use it: allow that with --move-clock`,
    )
  const scene = createScene(session, customer)
  if (name in PARTNER_DRIVERS) {
    const log = partnerLog(session.staff(), await session.partnerId())
    const before = await newestOf(log, name)
    await driver.drive(scene)
    return arrival(log, name, before)
  }
  const logOf = ({ customer_id: merchantId }: Readonly<{ customer_id: string }>) =>
    merchantLogOfStaff(session.staff(), merchantId)
  // A new merchant has no earlier event; the one that is kept may have.
  const before = await newestOf(logOf(await scene.verified()), name)
  return arrival(logOf(await driver.drive(scene)), name, before)
}
