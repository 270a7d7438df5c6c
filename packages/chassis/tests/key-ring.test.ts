import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { KeyConfig } from '../src/index.ts'
import { testVault } from '../src/testing/index.ts'
import { LETTERS, openLetters, type Letters } from './key-fixture.ts'
import { startVaultServer } from './vault-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-keys-'))
const tokenFile = join(folder, 'token')
const MAC = ['merchant-email', 'a@example.com'] as const
let server: Awaited<ReturnType<typeof startVaultServer>>
let database: Letters
beforeAll(async () => {
  server = await startVaultServer()
  writeFileSync(tokenFile, `${server.token}\n`)
  for (const key of ['one', 'two']) server.createKey(key)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  database = await openLetters('key_ring')
})
afterEach(() => database.close())

const transit = (key: string) => ({ address: server.address, tokenFile, mount: 'transit', key })
const [one, two] = [randomBytes(32), randomBytes(32)]
const PROVIDERS: Readonly<Record<string, Readonly<Record<string, () => KeyConfig>>>> = {
  file: {
    first: () => ({ encryptionKey: one }),
    both: () => ({ encryptionKey: two, previousEncryptionKey: one }),
    second: () => ({ encryptionKey: two }),
  },
  vault: {
    first: () => ({ provider: 'vault', transit: transit('one') }),
    both: () => ({ provider: 'vault', transit: transit('two'), previousEncryptionKey: one }),
    second: () => ({ provider: 'vault', transit: transit('two') }),
  },
}

describe.each(['file', 'vault'])('a key ring under %s', (kind) => {
  const config = (name: 'first' | 'both' | 'second'): KeyConfig =>
    (PROVIDERS[kind]?.[name] as () => KeyConfig)()
  /** From where a rotation to `second` begins: the key before is a file's for both, so that it can be a previous one. */
  const before = () => (kind === 'vault' ? { encryptionKey: one } : config('first'))

  test('is created once by replicas that start together, and found again', async () => {
    const rings = await Promise.all(Array.from({ length: 6 }, () => database.open(config('first'))))
    const [first] = rings
    const sealed = first?.vault.seal('a letter', 'c') ?? ''
    for (const { vault } of [...rings, await database.open(config('first'))]) {
      expect(vault.open(sealed, 'c').toString()).toBe('a letter')
      expect(vault.mac(...MAC)).toEqual(first?.vault.mac(...MAC))
    }
    expect((await database.wraps()).map(({ purpose, state }) => `${purpose} ${state}`)).toEqual([
      'hash active',
      'seal active',
    ])
  })

  test('is adopted by a replica when another one makes it and seals with it during a first start', async () => {
    const first = await database.open(config('first'))
    await database.add([{ id: 'a', sealed: first.vault.seal('a letter', 'c') }])
    const late = await database.whileRingIsAbsent(() => database.open(config('first')))
    expect(late.vault.open((await database.letters())[0]?.textSealed ?? '', 'c').toString()).toBe('a letter')
  })

  test('is stored wrapped: another key cannot open it, and the error names the setting', async () => {
    await database.open(config('first'))
    await expect(database.open({ encryptionKey: randomBytes(32) })).rejects.toThrow(
      /^Bad settings: ENCRYPTION_KEY cannot unwrap the keys of this database, which were wrapped by (file|vault):\S+/,
    )
  })

  test('survives a rotation of the key that wraps it: both keys are valid for a time, then only the new one', async () => {
    const { vault } = await database.open(before())
    const sealed = vault.seal('a letter', 'c')
    const rotated = await database.open(config('both'))
    // A replica that still has the key before starts once more, and undoes nothing.
    const late = await database.open(before())
    const after = await database.open(config('second'))
    for (const each of [rotated, late, after]) {
      expect(each.vault.open(sealed, 'c').toString()).toBe('a letter')
      expect(each.vault.mac(...MAC)).toEqual(vault.mac(...MAC))
    }
    await expect(database.open(before())).rejects.toThrow('set PREVIOUS_ENCRYPTION_KEY to the previous key')
  })

  test('can be rotated by several replicas concurrently, and back again', async () => {
    const { vault } = await database.open(before())
    const sealed = vault.seal('a letter', 'c')
    await Promise.all(Array.from({ length: 4 }, () => database.open(config('both'))))
    const back = { ...before(), previousEncryptionKey: two, transit: config('both').transit }
    await database.open(back)
    const again = await database.open(before())
    expect(again.vault.open(sealed, 'c').toString()).toBe('a letter')
    expect(new Set((await database.wraps()).map((row) => row.wrappingKey)).size).toBe(1)
  })

  test('cannot be opened by another service that has a copy of its rows', async () => {
    const { vault } = await database.open(config('first'))
    const sealed = vault.seal('a letter', 'c')
    const other = await openLetters('key_ring_other')
    const foreign = await other.open(config('second'))
    expect(() => foreign.vault.open(sealed, 'c')).toThrow(/names key/)
    expect(foreign.vault.mac(...MAC)).not.toEqual(vault.mac(...MAC))
    await other.close()
    await expect(database.open(config('second'))).rejects.toThrow('cannot unwrap the keys')
    // Not even one that had the same key: wraps are bound to their service.
    await expect(database.open(config('first'), 'another')).rejects.toThrow()
  })
})

describe('a key-encryption key whose file is replaced while a service runs', () => {
  const following = (first: KeyConfig) => {
    const file = { now: first }
    return { file, opening: database.open({ ...first, reread: () => file.now }) }
  }
  const wrappingKeys = async () => new Set((await database.wraps()).map(({ wrappingKey }) => wrappingKey))

  test('wraps the data keys again, and unwraps nothing once its file no longer names it as the previous key', async () => {
    const { file, opening } = following({ encryptionKey: one })
    const { vault, refresh } = await opening
    const sealed = vault.seal('a letter', 'c')
    file.now = { encryptionKey: two, previousEncryptionKey: one }
    await refresh()
    expect((await wrappingKeys()).size).toBe(2)
    file.now = { encryptionKey: two }
    await refresh()
    expect((await wrappingKeys()).size).toBe(1)
    await expect(database.open({ encryptionKey: one })).rejects.toThrow('cannot unwrap the keys')
    expect((await database.open({ encryptionKey: two })).vault.open(sealed, 'c').toString()).toBe('a letter')
  })

  test('is not used when the previous key is missing: the data keys stay unchanged', async () => {
    const { file, opening } = following({ encryptionKey: one })
    const { vault, refresh } = await opening
    file.now = { encryptionKey: two }
    await expect(refresh()).rejects.toThrow('cannot unwrap the keys')
    expect((await wrappingKeys()).size).toBe(1)
    expect(vault.open(vault.seal('a letter', 'c'), 'c').toString()).toBe('a letter')
    await database.open({ encryptionKey: one })
  })
})

describe('a database from before there were key rings', () => {
  const root = randomBytes(32)
  const former = testVault(root)
  const own = randomBytes(32)
  beforeEach(() => database.add([{ id: 'a', sealed: former.seal('old', LETTERS.contextOf('a')) }]))

  test.each<[string, KeyConfig]>([
    ['with the key that it had', { encryptionKey: root }],
    [
      'with its own key and that one as the previous key',
      { encryptionKey: own, previousEncryptionKey: root },
    ],
  ])('is taken over by a start %s: values open, hashes stay', async (_how, config) => {
    const { vault } = await database.open(config)
    expect(vault.open(former.seal('old', 'c'), 'c').toString()).toBe('old')
    expect(vault.mac(...MAC)).toEqual(former.mac(...MAC))
    // A replica of the version before reads what is sealed now; only `reencrypt` changes that.
    expect(former.open(vault.seal('new', 'c'), 'c').toString()).toBe('new')
  })

  test('is served with its own key afterwards, and no longer contains the root key', async () => {
    await database.open({ encryptionKey: own, previousEncryptionKey: root })
    const { vault } = await database.open({ encryptionKey: own })
    expect(vault.open(former.seal('old', 'c'), 'c').toString()).toBe('old')
    // Hashes of purposes that it had not come of a key that nobody else has.
    expect(vault.mac('client-secret', 'x')).not.toEqual(former.mac('client-secret', 'x'))
    await expect(database.open({ encryptionKey: root })).rejects.toThrow('cannot unwrap the keys')
  })

  test('stops the start before anything is created when neither setting is its key', async () => {
    await expect(database.open({ encryptionKey: own })).rejects.toThrow(
      /^Bad settings: neither ENCRYPTION_KEY nor PREVIOUS_ENCRYPTION_KEY is the key [0-9a-f]{8} that letters.text_sealed/,
    )
    expect(await database.wraps()).toEqual([])
  })

  test('stops the start also when only some values use another key', async () => {
    await database.add([{ id: 'b', sealed: testVault(own).seal('x', LETTERS.contextOf('b')) }])
    await expect(database.open({ encryptionKey: root })).rejects.toThrow(
      /is the key [0-9a-f]{8} that letters/,
    )
  })
})

describe("HashiCorp Vault's transit engine", () => {
  const config = (): KeyConfig => ({ provider: 'vault', transit: transit('one'), waitMs: 5_000 })

  test('can rotate its key: the next start wraps with the new version, and the old version can be deleted', async () => {
    const { vault } = await database.open(config())
    server.rotate('one')
    await database.open(config())
    server.forgetOlder('one')
    const after = await database.open(config())
    expect(after.vault.mac(...MAC)).toEqual(vault.mac(...MAC))
    const keys = new Set((await database.wraps()).map((row) => row.wrappingKey))
    expect([...keys]).toEqual([expect.stringMatching(/^vault:transit\/one:v\d+$/)])
  })

  test('makes a start wait while it is sealed', async () => {
    server.setSealed(true)
    const before = server.calls()
    const opening = database.open(config())
    while (server.calls() < before + 2) await new Promise((resolve) => setTimeout(resolve, 20))
    server.setSealed(false)
    expect((await opening).vault.seal('x', 'c')).toMatch(/^v1\./)
  })

  test('stops the start when it stays unavailable, with a line that names the setting', async () => {
    server.setSealed(true)
    await expect(database.open({ ...config(), waitMs: 0 })).rejects.toThrow(
      `Stopped waiting after KEY_PROVIDER_WAIT (0 ms): VAULT_ADDR ${server.address} returned 503 Vault is sealed`,
    )
    server.setSealed(false)
    const nobody = { ...transit('one'), address: 'http://127.0.0.1:1' }
    await expect(database.open({ ...config(), transit: nobody, waitMs: 0 })).rejects.toThrow(
      'VAULT_ADDR http://127.0.0.1:1 cannot be reached',
    )
  })

  test.each<[string, () => Partial<ReturnType<typeof transit>>, RegExp]>([
    [
      'a key that is not there',
      () => ({ key: 'three' }),
      /^VAULT_TOKEN_FILE or VAULT_TRANSIT_KEY: .* 403 permission/,
    ],
    [
      'another mount',
      () => ({ mount: 'team/transit' }),
      /^VAULT_TRANSIT_KEY: Vault refuses team\/transit\/one: 404$/,
    ],
    [
      'a token file that is not there',
      () => ({ tokenFile: join(folder, 'none') }),
      /^VAULT_TOKEN_FILE .* cannot be read$/,
    ],
  ])('refuses %s immediately, and the line names the setting', async (_what, change, line) => {
    const opening = database.open({ ...config(), transit: { ...transit('one'), ...change() } })
    await expect(opening).rejects.toThrow(line)
  })

  test('is not needed while a service runs', async () => {
    const ring = await database.open(config())
    server.setSealed(true)
    const before = server.calls()
    await ring.refresh()
    expect(ring.vault.open(ring.vault.seal('x', 'c'), 'c').toString()).toBe('x')
    expect(server.calls()).toBe(before)
    server.setSealed(false)
  })
})
