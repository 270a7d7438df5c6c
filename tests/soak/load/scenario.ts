import type { Party, Shop } from '../parties.ts'
import type { Random } from '../random.ts'
import type { Session, Sessions } from './session.ts'

/** One run of a worker, from beginning to end. */
export type Scenario = (
  at: Readonly<{
    random: Random
    /** Unique name of this run. */
    name: string
    party: Party
    partner: Session
    shop: Shop
    sessions: Pick<Sessions, 'staff' | 'outside'>
    pause: (ms: number) => Promise<void>
  }>,
) => Promise<void>
