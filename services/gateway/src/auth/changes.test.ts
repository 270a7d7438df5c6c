import { createLogger, type Bus } from '@causeway/chassis'
import { expect, test } from '@jest/globals'
import { createChanges, type Change } from './changes.ts'

/** Access with changes that a test makes, and a bus on which nothing is said. */
const startFollowing = async () => {
  const access = { revision: 7, client_ids: [] as string[], key_macs: [] as string[], isAway: false }
  const asked: (number | null)[] = []
  const seen: Change[] = []
  const changes = createChanges({
    access: {
      listChanges: (after) => {
        asked.push(after)
        return access.isAway ? Promise.reject(new Error('away')) : Promise.resolve(access)
      },
    },
    bus: { onNudge: () => ({ unsubscribe: () => undefined }) } as unknown as Bus,
    log: createLogger({ service: 'test', level: 'silent' }),
  })
  changes.onChange((change) => seen.push(change))
  await changes.start()
  await changes.stop()
  return { access, asked, seen, changes }
}

test('invalidates everything that was cached before the first revision was known', async () => {
  const { asked, seen } = await startFollowing()
  expect(asked).toEqual([null])
  expect(seen).toEqual([null])
})

test('invalidates clients and keys once per change, and requests the changes after the last revision', async () => {
  const { access, asked, seen, changes } = await startFollowing()
  Object.assign(access, { revision: 9, client_ids: ['cli_1'], key_macs: ['aa'] })
  await changes.refresh()
  await changes.refresh()
  expect(asked).toEqual([null, 7, 9])
  expect(seen).toEqual([null, ['cli_1', 'aa']])
})

test('invalidates nothing while access is unavailable, and reads its changes when it is back', async () => {
  const { access, seen, changes } = await startFollowing()
  Object.assign(access, { revision: 8, client_ids: ['cli_1'], isAway: true })
  await changes.refresh()
  expect(seen).toEqual([null])
  access.isAway = false
  await changes.refresh()
  expect(seen).toEqual([null, ['cli_1']])
})
