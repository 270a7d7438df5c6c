import type { PartnerClient } from '@causeway/client'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import type { Expectations } from './expectations.ts'
import type { Reporter } from './reporter.ts'

/** Context of each part of the tour. */
export type TourContext = Readonly<{
  /** The partner's client; replaced when its token expires. */
  partner: PartnerClient
  staff: RawClient
  sandbox: RawClient
  customerId: string
  /** Makes references and keys unique to this run. */
  suffix: string
  reporter: Reporter
  expect: Expectations
}>

/** Calls a control endpoint of the sandbox. @throws unless it succeeds */
export const control = async (
  context: Pick<TourContext, 'sandbox'>,
  path: string,
  body: unknown,
): Promise<void> => {
  const answer = await context.sandbox.post(`/control/${path}`, body)
  if (answer.status >= 300)
    throw new Error(`The sandbox refused /control/${path}: ${JSON.stringify(answer.body)}`)
}
