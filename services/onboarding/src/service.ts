import { createBlobs, createCursors, openBlobStore, type Running } from '@causeway/chassis'
import { startService } from '@causeway/chassis/database'
import { fileURLToPath } from 'node:url'
import { agreementOperations } from './agreements/operations.ts'
import { startPublicationEvents } from './agreements/jobs/publication.ts'
import { brandOperations } from './brands/operations.ts'
import { capabilityOperations } from './capabilities/operations.ts'
import { consumeDisputeThresholdStatus } from './capabilities/reactions.ts'
import type { OnboardingConfig } from './config.ts'
import { customerOperations } from './customers/operations.ts'
import { documentOperations } from './documents/operations.ts'
import { startUploadPurge } from './documents/jobs/upload-purge.ts'
import { merchantOperations } from './merchants/operations.ts'
import { nextStepOperations } from './next-steps/operations.ts'
import { onboardingLinkOperations } from './onboarding-links/operations.ts'
import { personalDataOperations } from './personal-data/operations.ts'
import { startRetention } from './personal-data/jobs/retention.ts'
import { relationshipOperations } from './relationships/operations.ts'
import { requirementOperations } from './requirements/operations.ts'
import { reviewOperations } from './reviews/operations.ts'
import { VAULT_USE } from './columns.ts'
import { startVerificationExpiry } from './verifications/jobs/expiry.ts'
import { verificationOperations } from './verifications/operations.ts'

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
        const { publicBaseUrl, verificationTtlMs, kybRetentionMs, merchantLinking: linking } = config
        const cursors = createCursors(vault)
        const blobs = createBlobs(await openBlobStore(config.blobs, context))
        const expiry = startVerificationExpiry({ db, clock, log })
        const uploadPurge = startUploadPurge({ db, blobs, clock, log })
        const publications = startPublicationEvents({ db, clock, log })
        const erasure = { db, kybRetentionMs, onErased: uploadPurge.wake }
        const retention = startRetention({ ...erasure, clock, log })
        const disputes = consumeDisputeThresholdStatus(context)
        return {
          operations: [
            ...customerOperations({
              db,
              vault,
              cursors,
              linking,
              maxReadBatches: config.pipelinedConnections,
            }),
            ...brandOperations({ db, publicBaseUrl }),
            ...capabilityOperations({ db }),
            ...nextStepOperations({ db, vault, publicBaseUrl }),
            ...onboardingLinkOperations({ db, publicBaseUrl }),
            ...relationshipOperations({ db, vault, cursors }),
            ...documentOperations({ db, vault, cursors, blobs, publicBaseUrl }),
            ...agreementOperations({ db, vault, cursors, publicBaseUrl, onPublished: publications.wake }),
            ...verificationOperations({ db, vault }),
            ...reviewOperations({ db, vault, cursors, verificationTtlMs }),
            ...requirementOperations({ db, cursors }),
            ...merchantOperations({ db }),
            ...personalDataOperations({ ...erasure, vault, cursors }),
          ],
          async stop() {
            await Promise.all([publications.stop(), expiry.stop(), disputes.stop(), retention.stop()])
            await uploadPurge.stop()
          },
        }
      },
    },
    config,
  )
