import { randomBytes } from 'node:crypto'
import { SENDER_PAIRS } from '@causeway/contracts'
import { DATABASES, type DatabaseName } from '../infrastructure/postgres-databases.ts'
import { PASSWORD_OWNERS, type PasswordOwner } from '../infrastructure/nats-permissions.ts'
import { readPrivateJson, writePrivateJson } from './private-file.ts'

/** All secrets that a local start generates. */
export type Secrets = {
  operatorApiKey: string
  /** Root key, 32 bytes in base64: each service's key is derived from it, and no service has it. */
  encryptionKey: string
  /**
   * True if the services have their own key rings. Earlier, all encrypted with keys derived from the root key.
   */
  hasKeyRings: boolean
  postgresAdminPassword: string
  postgresPasswords: Record<DatabaseName, string>
  natsPasswords: Record<PasswordOwner, string>
  /** Keys of requests on the bus, 32 bytes in base64, by pair: `gateway>payments`. */
  busKeys: Record<string, string>
  /** Key with which access signs approvals of refunds, 32 bytes in base64; the signer has its public half. */
  approvalKey: string
}

/** Hexadecimal after a letter: needs no quoting in a URL, in SQL or in the configuration of NATS. */
const password = () => `p${randomBytes(24).toString('hex')}`

const passwordsFor = <Name extends string>(
  names: readonly Name[],
  kept: Partial<Record<Name, string>> = {},
) => Object.fromEntries(names.map((name) => [name, kept[name] ?? password()])) as Record<Name, string>

const busKeysFor = (kept: Record<string, string> = {}) =>
  Object.fromEntries(
    SENDER_PAIRS.map(({ sender, receiver }) => {
      const pair = `${sender}>${receiver}`
      return [pair, kept[pair] ?? randomBytes(32).toString('base64')]
    }),
  )

/** Reads the secrets of this data folder; generates and stores the missing ones, readable by the owner only. */
export const loadSecrets = (path: string): Secrets => {
  const file = readPrivateJson(path)
  const kept = (file ?? {}) as Partial<Secrets>
  const secrets: Secrets = {
    operatorApiKey: kept.operatorApiKey ?? `op_${randomBytes(24).toString('base64url')}`,
    encryptionKey: kept.encryptionKey ?? randomBytes(32).toString('base64'),
    hasKeyRings: file === null || kept.hasKeyRings === true,
    postgresAdminPassword: kept.postgresAdminPassword ?? password(),
    postgresPasswords: passwordsFor(DATABASES, kept.postgresPasswords),
    natsPasswords: passwordsFor(PASSWORD_OWNERS, kept.natsPasswords),
    busKeys: busKeysFor(kept.busKeys),
    approvalKey: kept.approvalKey ?? randomBytes(32).toString('base64'),
  }
  writePrivateJson(path, secrets)
  return secrets
}

/** Records that every service has adopted the data that was encrypted with keys of the root key. */
export const rememberKeyRings = (path: string): void => {
  writePrivateJson(path, { ...loadSecrets(path), hasKeyRings: true })
}
