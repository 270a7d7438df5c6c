import type { Browser } from 'playwright-core'
import { createRandom, type Random } from '../../soak/random.ts'
import { openWatched } from '../browser.ts'
import { ACTIONS, enter, lookAround, type Walker } from './actions.ts'
import { isIn } from '../isolation/parties.ts'
import { peopleOf, type People } from './people.ts'

/** Actions of a person that are told with a fault. */
const TOLD = 6

export type WalkResult = Readonly<{
  steps: number
  /** How often each action was taken, and by whom. */
  actions: Readonly<Record<string, number>>
  people: Readonly<Record<string, number>>
  /** Pages that were shown, with ids and tokens left out. */
  pages: readonly string[]
  faults: readonly string[]
}>

type Options = Omit<People, 'random'> &
  Readonly<{ browser: Browser; seed: number; steps: number; log?: (line: string) => void }>

const counted = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1
}

const withoutIds = (path: string): string =>
  path
    .replaceAll(/\/[a-z]{3}_[0-9a-z]{20,}/g, '/:id')
    .replace(/^\/(onboarding|portal)\/[\w-]{43}/, '/$1/:token')
    .replaceAll(/\/\d{6,}/g, '/:key')

/** Returns the faults of the current page. */
const faultsOf = ({ person, watched, look }: Walker): string[] => {
  const found = watched.take()
  if (look === null) return found
  if (look.headings === 0) found.push('no heading')
  if (look.links.length + look.waysOn === 0) found.push('no way on')
  if (look.made > 0) found.push('what was entered became an element')
  for (const mark of person.foreign) if (isIn(look.html, mark)) found.push(`shows ${mark} of another tenant`)
  return found
}

const step = async (walker: Walker, random: Random): Promise<string> => {
  const { look } = walker
  // Now and then everybody begins anew, and always where nothing leads on.
  if (look === null || look.links.length + look.forms.length === 0 || random.chance(0.04)) {
    await enter(walker)
    return 'enter'
  }
  const action = random.pick(ACTIONS)
  await action.act(walker, look, random)
  return action.name
}

/**
 * People of every kind walk at random, each in a separate browser: they follow links, send forms, go back and load
 * again. The seed repeats the choices; ids, and with them the order of some lists, differ from run to run.
 */
export const walk = async ({ browser, seed, steps, log, ...options }: Options): Promise<WalkResult> => {
  const random = createRandom(seed)
  const { platform } = options
  const hosts = [platform.baseUrl, platform.sandboxUrl].map((address) => new URL(address).host)
  const walkers: Walker[] = []
  for (const person of peopleOf({ ...options, random }))
    walkers.push({ person, watched: await openWatched(browser, hosts), known: null, look: null, told: [] })
  const actions: Record<string, number> = {}
  const people: Record<string, number> = {}
  const pages = new Set<string>()
  const faults: string[] = []
  for (let taken = 1; taken <= steps; taken += 1) {
    const walker = random.pick(walkers)
    const { person, told, watched } = walker
    let action = 'nothing'
    try {
      action = await step(walker, random)
      walker.look = await lookAround(walker)
    } catch (error) {
      faults.push(`step ${taken}, ${person.name}: ${error instanceof Error ? error.message : String(error)}`)
      walker.look = null
    }
    const { pathname } = new URL(watched.page.url())
    told.push(`${action} → ${pathname}`)
    counted(actions, action)
    counted(people, person.name)
    pages.add(withoutIds(pathname))
    for (const fault of faultsOf(walker))
      faults.push(
        `step ${taken}, ${person.name} at ${pathname}: ${fault}\n  after ${told.slice(-TOLD).join(', ')}`,
      )
    if (taken % 100 === 0) log?.(`${taken} steps, ${pages.size} pages, ${faults.length} faults`)
  }
  for (const { watched } of walkers) await watched.context.close()
  return { steps, actions, people, pages: [...pages].toSorted(), faults }
}
