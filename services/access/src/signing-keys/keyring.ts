import type { Clock, Db, Logger, Vault } from '@causeway/chassis'
import { TOKEN_ALGORITHM } from '@causeway/contracts'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { nextRevision } from '../change-feed/store.ts'
import { planRotation, signingKeyContext } from './domain.ts'
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  type PublicJwk,
  type SigningKeyRecord,
} from './store.ts'

type Key = Readonly<{
  kid: string
  signsFromMs: number
  privateKey: CryptoKey
  publicJwk: Record<string, string>
}>

export type KeyringOptions = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  log: Logger
  tokenTtlMs: number
  /** Age at which a key gets its successor. */
  rotateAfterMs: number
}>

/** The keys that sign access tokens, the same on every replica. */
export type Keyring = Readonly<{
  /** Reads the keys from the database again. */
  load(): Promise<void>
  /** The key that signs now. */
  signer(): Readonly<{ kid: string; privateKey: CryptoKey }>
  /** Public keys (RFC 7517): every key that signs, will sign, or has signed a token that may still be valid. */
  jwks(): Record<string, string>[]
  /** Adds and deletes keys as `planRotation` says. @returns whether anything changed */
  rotate(options?: Readonly<{ now: boolean }>): Promise<boolean>
}>

const importKey = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, TOKEN_ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('A signing key is not an EC key')
  return key
}

const openKey = async (row: SigningKeyRecord, vault: Vault): Promise<Key> => {
  const privateJwk = JSON.parse(vault.open(row.privateSealed, signingKeyContext(row.kid)).toString()) as JWK
  const publicJwk = { ...row.publicJwk, kid: row.kid, alg: TOKEN_ALGORITHM, use: 'sig' }
  return {
    kid: row.kid,
    signsFromMs: row.signsFrom.getTime(),
    privateKey: await importKey(privateJwk),
    publicJwk,
  }
}

const newSigningKey = async (vault: Vault, signsFrom: Date): Promise<SigningKeyRecord> => {
  const pair = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const { x, y } = await exportJWK(pair.publicKey)
  if (x === undefined || y === undefined) throw new Error('A new signing key has no coordinates')
  const publicJwk: PublicJwk = { kty: 'EC', crv: 'P-256', x, y }
  const kid = await calculateJwkThumbprint(publicJwk)
  return {
    kid,
    publicJwk,
    privateSealed: vault.seal(JSON.stringify(await exportJWK(pair.privateKey)), signingKeyContext(kid)),
    signsFrom,
  }
}

export const createKeyring = (options: KeyringOptions): Keyring => {
  const { db, vault, clock, log } = options
  let keys: readonly Key[] = []
  const load = async () => {
    const known = new Map(keys.map((key) => [key.kid, key]))
    const rows = await listSigningKeys(db)
    keys = await Promise.all(rows.map(async (row) => known.get(row.kid) ?? openKey(row, vault)))
  }
  return {
    load,
    signer() {
      const nowMs = clock.nowMs()
      const key = keys.findLast((candidate) => candidate.signsFromMs <= nowMs)
      if (key === undefined) throw new Error('There is no signing key')
      return key
    },
    jwks: () => keys.map((key) => key.publicJwk),
    async rotate(wanted = { now: false }) {
      const rule = { tokenTtlMs: options.tokenTtlMs, rotateAfterMs: options.rotateAfterMs, now: wanted.now }
      const planned = planRotation(await listSigningKeys(db), clock.nowMs(), rule)
      if (planned.signsFrom === null && planned.spentKids.length === 0) return false
      await db.transaction(async (tx) => {
        await nextRevision(tx)
        const { spentKids, signsFrom } = planRotation(await listSigningKeys(tx), clock.nowMs(), rule)
        await deleteSigningKeys(tx, { kids: spentKids })
        if (signsFrom === null) return
        const key = await newSigningKey(vault, signsFrom)
        const publicJwk = JSON.stringify(key.publicJwk)
        await insertSigningKey(tx, { ...key, publicJwk, createdAt: clock.now() })
        log.info({ event: 'signing_key.added', kid: key.kid, signsFrom }, 'A signing key was added')
      })
      await load()
      return true
    },
  }
}
