import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { findLastRelease } from './released-code.ts'
import { walkUpgrade } from './upgrade-walk.ts'

const release = findLastRelease()
/** deploy/postgres/create-databases.sh is written for it, as the postgres image has it. */
const hasPsql = spawnSync('psql', ['--version']).status === 0
const lacking =
  'missing' in release ? release.missing : hasPsql ? null : 'no psql: apt-get install postgresql-client'
const testHere = lacking === null ? test : test.skip

/** A minute on two busy cores; at a load of 25 more than five. */
const WITHIN_MS = 900_000

testHere(
  `fails no request and loses no event in an upgrade from the last release and back under load${lacking === null ? '' : ` (skipped: ${lacking})`}`,
  async () => {
    if ('missing' in release) throw new Error(release.missing)
    const lines: string[] = []
    const walked = walkUpgrade({ ...release, perSecond: 2, pauseMs: 500, log: (line) => lines.push(line) })
    const { requests, errands, changesPermissions, ...seen } = await walked.catch((error: unknown) => {
      throw new Error(lines.join('\n'), { cause: error })
    })
    expect(seen).toEqual({
      failures: [],
      wrong: [],
      missing: [],
      doubled: [],
      wasReadyTooEarly: false,
      calls: [
        'compose build',
        ...(changesPermissions ? ['compose up --detach --no-deps --force-recreate nats'] : []),
        'compose up --detach',
      ],
      callsAgain: ['compose build', 'compose up --detach'],
      auditLog: expect.stringMatching(/^The audit log is whole: \d+ records$/),
      changedAgain: [],
    })
    expect(errands).toBeGreaterThan(20)
    expect(requests).toBeGreaterThan(errands)
  },
  WITHIN_MS,
)
