import { createBlobs, createCursors, openBlobStore, startService, type Running } from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import type { OnboardingConfig } from './config.ts'
import { startAgreementAnnouncements } from './jobs/announce-agreements.ts'
import { startRetention } from './jobs/retention.ts'
import { startUploadSweep } from './jobs/sweep-uploads.ts'
import { startVerificationExpiry } from './jobs/verification-expiry.ts'
import { followDisputeStandings } from './reactions/dispute-standings.ts'
import { agreementOperations } from './operations/agreements.ts'
import { capabilityOperations } from './operations/capabilities.ts'
import { customerOperations } from './operations/customers.ts'
import { documentOperations } from './operations/documents.ts'
import { merchantOperations } from './operations/merchants.ts'
import { personalDataOperations } from './operations/personal-data.ts'
import { relationshipOperations } from './operations/relationships.ts'
import { requirementOperations } from './operations/requirements.ts'
import { reviewOperations } from './operations/reviews.ts'
import { verificationOperations } from './operations/verifications.ts'
import { VAULT_USE } from './sealed-columns.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Starts the onboarding service. */
export const startOnboarding = (config: OnboardingConfig): Promise<Running> =>
  startService(
    {
      name: 'onboarding',
      migrations: MIGRATIONS,
      keys: VAULT_USE,
      build: async (context) => {
        const { db, vault, clock, log } = context
        const { publicBaseUrl, verificationTtlMs, merchantLinking: linking } = config
        const cursors = createCursors(vault)
        const expiry = startVerificationExpiry({ db, clock, log })
        const blobs = createBlobs(await openBlobStore(config.blobs, context))
        const sweep = startUploadSweep({ db, blobs, clock, log })
        const announcements = startAgreementAnnouncements({ db, clock, log })
        const published = announcements.wake
        const { kybRetentionMs } = config
        const erasure = { db, kybRetentionMs, onErased: sweep.wake }
        const retention = startRetention({ ...erasure, clock, log })
        const disputes = followDisputeStandings(context)
        return {
          operations: [
            ...customerOperations({ db, vault, cursors, linking, batchesAtOnce: config.lanes }),
            ...capabilityOperations({ db }),
            ...relationshipOperations({ db, vault }),
            ...documentOperations({ db, vault, cursors, blobs, publicBaseUrl }),
            ...agreementOperations({ db, vault, cursors, publicBaseUrl, published }),
            ...verificationOperations({ db, vault }),
            ...reviewOperations({ db, vault, cursors, verificationTtlMs }),
            ...requirementOperations({ db, cursors }),
            ...merchantOperations({ db }),
            ...personalDataOperations({ ...erasure, vault, cursors }),
          ],
          async stop() {
            await Promise.all([announcements.stop(), expiry.stop(), sweep.stop(), disputes.stop()])
            await retention.stop()
          },
        }
      },
    },
    config,
  )
