import { eventually } from '@causeway/chassis/testing'
import {
  createRawClient,
  dataOf,
  signIn,
  type Answer,
  type RawClient,
  type Asked,
} from '@causeway/dev-env/platform/raw-client'
import type { startReceiver } from '../../scripts/demo/receiver.ts'
import type { TestPlatform } from '../journeys/platform.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Who takes part in the story from which the examples are recorded. */
export type Parties = Readonly<{
  platform: TestPlatform
  receiver: Receiver
  staff: RawClient
  /** Staff who wait for something: how often they ask depends on the run. */
  unrecordedStaff: RawClient
  /** A client of the platform whose answers are recorded. */
  client: (headers?: Record<string, string>) => RawClient
  record: (asked: Asked, answer: Pick<Answer, 'status' | 'body'>) => void
}>

export const partiesOf = (platform: TestPlatform, receiver: Receiver, record: Parties['record']): Parties => {
  const client = (headers: Record<string, string> = {}) =>
    createRawClient({ baseUrl: platform.baseUrl, headers, onAnswer: record })
  const asStaff = { authorization: `Bearer ${platform.operatorKey}` }
  return {
    platform,
    receiver,
    record,
    client,
    staff: client(asStaff),
    unrecordedStaff: createRawClient({ baseUrl: platform.baseUrl, headers: asStaff }),
  }
}

/** The data of an answer. @throws when it is an error */
export const ok = async <T = Record<string, never>>(answer: Promise<Answer>): Promise<T> =>
  dataOf<T>(await answer)

/** A control endpoint of the sandbox. */
export const control = ({ platform }: Parties, path: string, body: unknown) =>
  ok(platform.sandbox.post(`/control/${path}`, body))

/** Waits for an event of either channel. */
export const event = ({ receiver }: Parties, name: string, count = 1) =>
  eventually(() => {
    const found = receiver.deliveries.filter(({ event: body }) =>
      [body.event_type, (body as unknown as { event?: string }).event].includes(name),
    )
    return found.length >= count && found
  })

/** A client of the partner with a new token: after the clock was moved a caller needs one. */
export const partnerClient = (
  { platform, record }: Parties,
  credentials: Readonly<{ clientId: string; clientSecret: string }>,
): Promise<RawClient> => signIn({ baseUrl: platform.baseUrl, ...credentials, onAnswer: record })

let keys = 0
/** Returns a new Idempotency-Key. */
export const key = () => ({ 'idempotency-key': `example-${(keys += 1)}` })
