/** Most nonces that are kept, about 20 MB: enough for 50,000 requests a second with deadlines of 5 s. */
const MAX_NONCES = 262_144
const BUCKET_MS = 1_000

/**
 * Remembers the nonces of requests until their deadlines, so that no request is carried out twice. In memory: the queue
 * group gives a request to one replica, and nobody but the receiver's own replicas could pass it on to another.
 */
export const createSeenNonces = (maxNonces = MAX_NONCES) => {
  const buckets = new Map<number, Set<string>>()
  let size = 0
  let sweptAt = 0
  const sweep = (now: number) => {
    if (now === sweptAt) return
    sweptAt = now
    for (const [bucket, nonces] of buckets)
      if (bucket < now) {
        buckets.delete(bucket)
        size -= nonces.size
      }
  }
  return {
    /** @returns `new`, or why the request may not be carried out: `seen` before, or `full` memory */
    add(nonce: string, deadlineMs: number, nowMs: number): 'new' | 'seen' | 'full' {
      sweep(Math.floor(nowMs / BUCKET_MS))
      const bucket = Math.floor(deadlineMs / BUCKET_MS)
      const nonces = buckets.get(bucket) ?? new Set()
      if (nonces.has(nonce)) return 'seen'
      if (size >= maxNonces) return 'full'
      nonces.add(nonce)
      buckets.set(bucket, nonces)
      size += 1
      return 'new'
    },
  }
}
