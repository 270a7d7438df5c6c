import { createBlobs, createCursors, openBlobStore, startService, type Running } from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import type { OnboardingConfig } from './config.ts'
import { startAgreementAnnouncements } from './agreements/publication-job.ts'
import { startRetention } from './personal-data/retention-job.ts'
import { startUploadSweep } from './documents/upload-purge-job.ts'
import { startVerificationExpiry } from './verifications/expiry-job.ts'
import { followDisputeStandings } from './capabilities/reactions.ts'
import { agreementOperations } from './agreements/operations.ts'
import { capabilityOperations } from './capabilities/operations.ts'
import { customerOperations } from './customers/operations.ts'
import { documentOperations } from './documents/operations.ts'
import { merchantOperations } from './merchants/operations.ts'
import { personalDataOperations } from './personal-data/operations.ts'
import { relationshipOperations } from './relationships/operations.ts'
import { requirementOperations } from './requirements/operations.ts'
import { reviewOperations } from './reviews/operations.ts'
import { verificationOperations } from './verifications/operations.ts'
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
