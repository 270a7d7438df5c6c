import { signIn } from '@causeway/dev-env/platform/raw-client'
import type { BooksSamples } from '../books-sampler.ts'
import type { Entry } from '../journal.ts'
import type { Party } from '../parties.ts'
import type { SoakPlatform } from '../soak-platform.ts'
import { checkBooks } from './books.ts'
import { withDatabases } from './databases.ts'
import { checkDeliveries } from './deliveries.ts'
import { checkEmitted } from './events.ts'
import { createFindings, type Findings } from './findings.ts'
import { checkHistories } from './histories.ts'
import { checkMadeObjects, checkReadable } from './orders.ts'
import { readEmitted } from './outbox.ts'
import { readOutsideBooks } from './outside-books.ts'
import { checkPayments } from './payments.ts'
import { checkRefunds } from './refunds.ts'
import { checkResponses } from './responses.ts'
import { checkTables } from './tables.ts'

/** Reads a path as one partner after the other until one may see it. */
const createReader = async (platform: SoakPlatform, parties: readonly Party[]) => {
  const { baseUrl } = platform
  const clients = await Promise.all(
    parties.map(({ clientId, clientSecret }) => signIn({ baseUrl, clientId, clientSecret })),
  )
  return async (path: string): Promise<number> => {
    let status = 0
    for (const client of clients) {
      status = (await client.get(path)).status
      if (status === 200) break
    }
    return status
  }
}

/** Everything that was recorded while the load ran; `left`: how much never ended, by its name. */
type Recorded = Readonly<{
  entries: readonly Entry[]
  left: Readonly<Record<string, number>>
  samples: BooksSamples
}>

/** Compares everything that was asked, answered, received and booked outside with what the platform says now. */
export const runChecks = async (
  platform: SoakPlatform,
  parties: readonly Party[],
  { entries, left, samples }: Recorded,
): Promise<Findings> => {
  const findings = createFindings()
  findings.expect('wrong', 'everything ended', Object.keys(left).length === 0, () => JSON.stringify(left))
  checkResponses(entries, findings)
  checkHistories(entries, findings)
  await checkReadable(entries, await createReader(platform, parties), findings)
  const books = readOutsideBooks(platform.dataDir)
  await withDatabases(platform, async (read) => {
    const emitted = await readEmitted(read)
    await checkMadeObjects(entries, read, findings)
    await checkRefunds(entries, books, read, findings)
    await checkPayments(books, read, findings)
    await checkEmitted(emitted, read, findings)
    const destinations = parties.flatMap((party) => party.destinations)
    await checkDeliveries(emitted, destinations, read, findings)
    await checkBooks(read, platform.dataDir, samples, findings)
    await checkTables(read, findings)
  })
  return findings
}
