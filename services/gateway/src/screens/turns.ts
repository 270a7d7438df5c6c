import { NotDoneError } from '@causeway/chassis'

/** Most that wait for one customer: more is no person with a few devices. */
const MAX_WAITING = 20

/**
 * Runs what concerns one customer one after the other. A form is merged into what is stored, and people are stored as a
 * whole list: two forms of the same moment must not read the same list. It holds within this process; what another
 * replica has written meanwhile is refused by the service, and merged anew (`save.ts` of the screens).
 */
export const createTurns = () => {
  const queues = new Map<string, Readonly<{ last: Promise<unknown>; waiting: number }>>()
  return async <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const { last, waiting } = queues.get(key) ?? { last: Promise.resolve(), waiting: 0 }
    if (waiting >= MAX_WAITING) throw new NotDoneError('Too many forms of one customer wait for each other')
    const mine = last.then(run, run)
    queues.set(key, { last: mine, waiting: waiting + 1 })
    try {
      return await mine
    } finally {
      const now = queues.get(key)
      if (now !== undefined && now.waiting > 1) queues.set(key, { ...now, waiting: now.waiting - 1 })
      else queues.delete(key)
    }
  }
}
