import type { BlobConfig } from './settings.ts'
import type { BlobGround, BlobStore } from './store.ts'

const KEY = /^[\w-]{1,64}$/

const checked = (store: BlobStore): BlobStore => {
  const check = (key: string) => {
    if (!KEY.test(key)) throw new Error('The platform did not create this blob key')
  }
  return {
    put: async (key, pieces) => {
      check(key)
      await store.put(key, pieces)
    },
    get: async (key) => {
      check(key)
      return store.get(key)
    },
    remove: async (key) => {
      check(key)
      await store.remove(key)
    },
  }
}

/**
 * Opens the configured store. The S3 client is imported only where it is used: it is larger than the rest of a process.
 * @throws when the store cannot be reached
 */
export const openBlobStore = async (config: BlobConfig, context: BlobGround): Promise<BlobStore> => {
  if (config.kind === 's3') {
    const { createS3Store } = await import('./s3.ts')
    return checked(createS3Store(config))
  }
  const { openJetStreamStore } = await import('./jetstream.ts')
  return checked(openJetStreamStore(context))
}
