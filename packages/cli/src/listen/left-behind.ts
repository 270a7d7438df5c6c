import { NotFoundError } from '@causeway/client'
import { parseAddress, pathOf, type ListenerAddress } from './address.ts'
import type { Subscriber } from './subscriber.ts'

const PROBE_MS = 2_000

/** Checks whether the listener of an address still runs on this machine. */
const isRunning = async (address: ListenerAddress): Promise<boolean> => {
  const url = `http://127.0.0.1:${address.port}${pathOf(address)}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => null)
  return answer?.status === 204
}

const unlessGone = async (removing: Promise<void>): Promise<void> => {
  try {
    await removing
  } catch (error) {
    // Another run has removed it meanwhile.
    if (!(error instanceof NotFoundError)) throw error
  }
}

/** Removes the webhooks of listeners that have crashed on this machine, and the keys that they had borrowed. */
export const removeLeftBehind = async (subscriber: Subscriber): Promise<number> => {
  let removed = 0
  for await (const { webhookId, url } of subscriber.log.webhooks()) {
    const address = parseAddress(url)
    if (address === null || (await isRunning(address))) continue
    await unlessGone(subscriber.remove(webhookId))
    if (address.keyId !== null) await unlessGone(subscriber.giveBack(address.keyId))
    removed += 1
  }
  return removed
}
