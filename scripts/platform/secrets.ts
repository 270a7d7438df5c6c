import { randomBytes } from 'node:crypto'
import { DATABASES, type DatabaseName } from '../infrastructure/postgres-databases.ts'
import { SANDBOX_NATS_USERS, type NatsUser } from '../infrastructure/nats-config.ts'
import { readPrivateJson, writePrivateJson } from './private-file.ts'

/** Everything secret that a local start makes up for itself. */
export type Secrets = {
  operatorApiKey: string
  /** 32 bytes in base64. */
  encryptionKey: string
  postgresAdminPassword: string
  postgresPasswords: Record<DatabaseName, string>
  natsPasswords: Record<NatsUser, string>
}

/** Hexadecimal with a letter in front: nothing to quote in a URL, in SQL or in the configuration of NATS. */
const password = () => `p${randomBytes(24).toString('hex')}`

const passwordsFor = <Name extends string>(
  names: readonly Name[],
  kept: Partial<Record<Name, string>> = {},
) => Object.fromEntries(names.map((name) => [name, kept[name] ?? password()])) as Record<Name, string>

/** Reads the secrets of this data folder; makes those that are missing and keeps them, readable by the owner only. */
export const loadSecrets = (path: string): Secrets => {
  const kept = (readPrivateJson(path) ?? {}) as Partial<Secrets>
  const secrets: Secrets = {
    operatorApiKey: kept.operatorApiKey ?? `op_${randomBytes(24).toString('base64url')}`,
    encryptionKey: kept.encryptionKey ?? randomBytes(32).toString('base64'),
    postgresAdminPassword: kept.postgresAdminPassword ?? password(),
    postgresPasswords: passwordsFor(DATABASES, kept.postgresPasswords),
    natsPasswords: passwordsFor(SANDBOX_NATS_USERS, kept.natsPasswords),
  }
  writePrivateJson(path, secrets)
  return secrets
}
