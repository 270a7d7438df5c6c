import type { Cursors, ServiceContext } from '@causeway/chassis'
import type { Connect } from './connect-guard/connect.ts'
import type { Channel } from './destinations/domain.ts'
import type { UrlPolicy } from './destinations/url.ts'
import type { Engine } from './engine/engine.ts'
import type { Recorder } from './engine/record/record-store.ts'
import type { FeedWaits } from './feed/jobs/feed-waits.ts'
import type { IntegrationOwners } from './integrations/owners.ts'

/** Dependencies of this service's operations. */
export type Dependencies = ServiceContext &
  Readonly<{
    engine: Engine
    /** Writes to the event log what the engine has not sent. */
    record: Recorder
    /** Requests that wait for their feed to grow. */
    feedWaits: FeedWaits
    cursors: Cursors
    urlPolicy: UrlPolicy
    connect: Connect
    owners: IntegrationOwners
    /** Whole exchange of one attempt. */
    timeoutsMs: Readonly<Record<Channel, number>>
    /** How long events are shown and can be sent again. */
    eventRetentionMs: number
    /** How long attempts are shown. */
    attemptRetentionMs: number
    /** The job that sends again in bulk. */
    redeliveryJob: Readonly<{ wake: () => void }>
  }>
