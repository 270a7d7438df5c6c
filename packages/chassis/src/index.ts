export { createActionLog, SECRET_EVENTS, type ActionLog } from './action-log.ts'
export { createBatcher } from './batcher.ts'
export { createBulkhead } from './bulkhead.ts'
export { blobContext, createBlobs, openBlob, sealBlob, type Blobs } from './blobs/blobs.ts'
export { BLOB_SETTINGS, toBlobConfig, type BlobConfig } from './blobs/settings.ts'
export { openBlobStore } from './blobs/open.ts'
export { call, relay, type RelayRequest, type Send } from './bus/call.ts'
export { connectBus, type Bus } from './bus/connect.ts'
export { createBusKeys } from './bus/keys.ts'
export { consume } from './bus/consume.ts'
export { type Received } from './bus/consume-options.ts'
export { type EventSeals } from './bus/event-seals.ts'
export { createLocalRelay, type LocalRelay } from './bus/local-relay.ts'
export { implement, type Handlers, type Implementation, type OperationRequest } from './bus/implement.ts'
export { didYouMean } from './bus/hints.ts'
export { addZodIssues, detailsFromZod } from './bus/refusal-from-zod.ts'
export { createMarks, type Marks } from './bus/marks.ts'
export { serve } from './bus/serve.ts'
export { createServiceClient, type ServiceClient } from './bus/service-client.ts'
export { startStreamKeeper } from './bus/stream-keeper.ts'
export { keepStreams } from './bus/streams.ts'
export { type RelayedReply } from './bus/wire.ts'
export { createClock, type Clock } from './clock.ts'
export * from './config.ts'
export * from './settings/index.ts'
export { STAFF_SETTINGS, toStaffConfig, type StaffConfig } from './staff-settings.ts'
export { equalInConstantTime, type Vault } from './crypto.ts'
export { followDatabaseTime } from './db/clock-skew.ts'
export { createDownloadTokens, type DownloadTokens } from './download-token.ts'
export { createCursors, type Cursors } from './db/cursors.ts'
export type { Db, Transaction } from './db/db.ts'
export {
  BY_ID,
  keysetList,
  NEWEST_FIRST,
  OLDEST_FIRST,
  type KeysetList,
  type KeysetOrder,
  type TimePosition,
} from './db/keyset-list.ts'
export { jsonBytes, PAGE_MAX_BYTES, pageOf, type Page } from './db/page.ts'
export { isUniqueViolation, uniqueViolation } from './db/faults.ts'
export { SERVER_HISTORY } from './db/server-history.ts'
export { batchOf, type BatchColumns } from './db/batch.ts'
export { queryMany, queryNone, queryOne, type Queryable } from './db/statement.ts'
export { createDetails, type Details } from './details.ts'
export { fingerprintOf, keyIdOf, type KeyUse } from './idempotency/key-use.ts'
export { withIdempotency, withStaffKey } from './idempotency/single-transaction.ts'
export {
  CLAIMED_KEY,
  claimedKeyWith,
  IS_KEY_FREE,
  KEY_CLAIM_PARAMETERS,
  KEY_CONSTRAINT,
  KEY_REPLY_PARAMETERS,
  storedReply,
} from './idempotency/store.ts'
export {
  beginUnderKey,
  claimIdempotencyKey,
  expireLease,
  keyClaimOf,
  readStoredReply,
  forgetReply,
  releaseKey,
  releaseOwnKey,
  resumeKey,
  storeReply,
  type Claim,
  type KeyClaim,
} from './idempotency/two-transactions.ts'
export {
  erasedValues,
  exportedFields,
  sealedColumns,
  WITH_ITS_ROW,
  type ErasedColumn,
  type KeptColumn,
  type TableColumns,
  type Tables,
} from './columns.ts'
export { HmacKey } from './hmac.ts'
export { declareChainedLog } from './chained-log.ts'
export { createChainVerifier, readHead, type Head, type Link, type Verification } from './hash-chain.ts'
export { firstIdAt, isId, newId, newIdAt } from './ids.ts'
export { isPassing } from './bus/handle-batch.ts'
export { claimNew } from './inbox.ts'
export { parkedEventOperations } from './parked-events.ts'
export type { VaultUse } from './keys/ring.ts'
export { bearerTokenHash, newBearerToken } from './keys/bearer-token.ts'
export {
  DATA_KEY_SEALING,
  destroyDataKey,
  isErased,
  newSealer,
  sealerOf,
  withDataKey,
} from './keys/data-keys.ts'
export { type SealedColumn } from './keys/sealed-column.ts'
export { KEY_SETTINGS, toKeyConfig, type KeyConfig } from './keys/settings.ts'
export { FACT_DIGEST, keepEmittedFacts, WINDOW_DIGEST } from './ledger-facts/store.ts'
export { startEdgeProcess, type EdgeContext } from './edge-process.ts'
export { type ProcessConfig, type Running } from './process-parts.ts'
export { LEASE_MS, RENEW_EVERY_MS, whileRenewing } from './lease.ts'
export { createLogger, infoLines, type Logger } from './log.ts'
export { startLoop, type Loop } from './loop.ts'
export { atMostEntries } from './lru-bound.ts'
export { metrics, registry } from './metrics.ts'
export {
  afterCallOutside,
  asReplay,
  isOutdated,
  notAsExpected,
  NotDoneError,
  refuse,
  refuseChanged,
  reply,
  withBefore,
  type Outcome,
  type Reply,
} from './outcome.ts'
export {
  appendedToOutbox,
  appendFacts,
  EVENT_COLUMNS,
  EVENT_PARAMETERS,
  EVENT_ROW,
  outboxFields,
  type OutboxFields,
} from './outbox/append.ts'
export { checkWithin, isServiceReady } from './readiness.ts'
export { OPERATOR_KEY, operatorActorOf } from './operator-actor.ts'
export { startRelay } from './outbox/relay.ts'
export type { SealingConfig, ServiceConfig } from './process.ts'
export { type ServiceContext, type KeylessServiceContext } from './service-context.ts'
export {
  createStatementSigner,
  createStatementVerifier,
  verifyingKeyOf,
  type StatementSigner,
  type StatementVerifier,
} from './statement-signature.ts'
export { span, type OpenSpan } from './telemetry/span.ts'
