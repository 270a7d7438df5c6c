import type {
  Bus,
  Clock,
  Cursors,
  Db,
  Logger,
  OperationRequest,
  Reply,
  Transaction,
  Vault,
} from '@causeway/chassis'
import type { staffKeys } from '@causeway/contracts'
import type { ChangeFeed } from './change-feed/change-feed.ts'
import type { MailAlarm } from './mail/alarm.ts'
import type { Keyring } from './signing-keys/keyring.ts'

/**
 * Records the end of an action of staff in the transaction of its effect: in the audit log, and of an action that a second
 * person confirmed its result. It is the last call of the transaction. @returns the answer
 * @throws NotDoneError when the action was claimed again
 */
export type RecordEnd = <T>(
  tx: Transaction,
  request: Pick<OperationRequest<typeof staffKeys.create>, 'requestId' | 'caller'>,
  end: Readonly<{ target?: string; before: unknown; after: unknown }>,
  answer: Reply<T>,
) => Promise<Reply<T>>

/** Shared by the folders of access: the connections of the process, key ring and change feed. */
export type AccessContext = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  vault: Vault
  cursors: Cursors
  keyring: Keyring
  changeFeed: ChangeFeed
  recordEnd: RecordEnd
  mailAlarm: MailAlarm
}>
