import { z } from 'zod'

/** Groups of actions of staff that need two persons where the setting FOUR_EYES names them (decisions §14). */
export const FOUR_EYES = [
  'approval',
  'reinstatement',
  'keys',
  'money',
  'webhooks',
  'agreements',
  'erasure',
  'ledger',
] as const
export type FourEyes = (typeof FOUR_EYES)[number]

/**
 * Reply of an operation that prepares another one: the state that the request would change, which a second person is
 * shown and which must still hold when they confirm, and the groups under which this request needs a second person. It
 * refuses what the prepared operation would refuse in that state.
 */
export const preparationOf = <State extends z.ZodType>(before: State) =>
  z.object({ before, groups: z.array(z.enum(FOUR_EYES)) })
