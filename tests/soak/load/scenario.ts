import type { Party, Shop } from '../parties.ts'
import type { Random } from '../random.ts'
import type { Session, Sessions } from './session.ts'

/** What one worker does once, from beginning to end. */
export type Scenario = (
  at: Readonly<{
    random: Random
    /** Of this run alone. */
    name: string
    party: Party
    partner: Session
    shop: Shop
    sessions: Pick<Sessions, 'staff' | 'outside'>
    pause: (ms: number) => Promise<void>
  }>,
) => Promise<void>
