import { join } from 'node:path'
import type { Site } from '../../parts/bench.ts'
import type { Rival } from '../contender.ts'
import { findRedis, startRedis } from './redis.ts'

export const QUEUE = 'deliveries'

/** @returns null where no Redis is installed */
export const openBullmq = async ({ folder, keep }: Site): Promise<Rival | null> => {
  const binary = findRedis()
  if (binary === null) return null
  const redis = keep(await startRedis(binary, join(folder, 'redis')))
  return {
    name: 'BullMQ',
    worker: new URL('./worker.ts', import.meta.url),
    storeUrl: redis.url,
    store: redis.process,
    clear: async () => {
      // Completed jobs stay in memory, which would fill up after some rounds.
      await redis.client.flushdb('ASYNC')
    },
  }
}
