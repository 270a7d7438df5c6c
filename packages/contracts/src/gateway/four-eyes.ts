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
  'destinations',
] as const
/** Groups that need two persons whatever the setting names. */
const ALWAYS_FOUR_EYES = ['losses'] as const
const FourEyes = z.enum([...FOUR_EYES, ...ALWAYS_FOUR_EYES])
export type FourEyes = z.infer<typeof FourEyes>

/** Checks whether actions of a group need two persons. @param named the groups that the setting names */
export const needsTwo = (group: FourEyes, named: ReadonlySet<FourEyes>): boolean =>
  named.has(group) || ALWAYS_FOUR_EYES.some((always) => always === group)

/**
 * Reply of an operation that prepares another one: the state that the request would change, which a second person is
 * shown and which must still hold when they confirm, and the groups under which this request needs a second person. It
 * refuses what the prepared operation would refuse in that state.
 */
export const preparationOf = <State extends z.ZodType>(before: State) =>
  z.object({ before, groups: z.array(FourEyes) })
