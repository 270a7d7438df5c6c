import { ownerOf } from '../infrastructure/postgres-databases.ts'
import type { ComponentName } from './components.ts'
import type { EnvironmentSources } from './environment.ts'

/** Where a component reaches a server, by the server's own address. */
export type Reroute = (name: ComponentName, serverUrl: string) => Promise<string>
type Addresses = EnvironmentSources['infrastructure']

/** The servers' addresses as each component is given them. */
export const rerouted = async (infrastructure: Addresses, reroute: Reroute): Promise<Addresses> => {
  const through = async <N extends string>(
    urls: Record<N, string>,
    userOf: (name: N) => ComponentName,
  ): Promise<Record<N, string>> => {
    const entries = Object.entries(urls) as [N, string][]
    const moved = await Promise.all(
      entries.map(async ([name, url]) => [name, await reroute(userOf(name), url)]),
    )
    return Object.fromEntries(moved) as Record<N, string>
  }
  const { databaseUrls, natsUrls } = infrastructure
  return {
    ...infrastructure,
    databaseUrls: await through(databaseUrls, ownerOf),
    natsUrls: await through(natsUrls, (name) => name),
  }
}
