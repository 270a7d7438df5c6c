import type { Random } from '../../soak/random.ts'
import { actAndLoad, type WatchedPage } from '../browser.ts'
import type { Person } from './people.ts'
import { FILES, valueOf, type Field, type Knowledge } from './values.ts'

/** A walker's view of a page (in-page.js). */
export type Look = Readonly<{
  headings: number
  waysOn: number
  made: number
  links: readonly string[]
  forms: readonly Readonly<{ action: string; fields: readonly Field[] }>[]
  html: string
}>

/** A person on its way. */
export type Walker = {
  readonly person: Person
  readonly watched: WatchedPage
  known: Knowledge | null
  /** Null before it has come in, and where it cannot go on. */
  look: Look | null
  readonly told: string[]
}

const andLoad = ({ watched: { page, isLeaving } }: Walker, act: () => Promise<unknown>): Promise<void> =>
  actAndLoad(page, act, isLeaving)

/** Null where somebody has gone back to before the first page, or reads the text of an agreement, which is no page of ours. */
export const lookAround = async ({ watched: { page } }: Walker): Promise<Look | null> =>
  /^http:\/\/[^/]+\/(?!agreements\/)/.test(page.url()) ? page.evaluate<Look>('walk.look()') : null

/** Comes in by a new session or link, without those that the person had. */
export const enter = async (walker: Walker): Promise<void> => {
  await walker.watched.context.clearCookies()
  walker.known = await walker.person.enter(walker.watched.page)
}

type Action = Readonly<{
  name: string
  act: (walker: Walker, look: Look, random: Random) => Promise<void>
}>

const followLink: Action = {
  name: 'follow',
  async act(walker, { links }, random) {
    if (links.length === 0) return
    const index = random.integer(0, links.length - 1)
    await andLoad(walker, () => walker.watched.page.evaluate(`walk.follow(${index})`))
  },
}

const sendForm: Action = {
  name: 'send',
  async act(walker, { forms }, random) {
    const { known, watched } = walker
    if (forms.length === 0 || known === null) return
    const index = random.integer(0, forms.length - 1)
    const form = forms[index]
    // Signing out ends a walk: rarely.
    if (form === undefined || (form.action.endsWith('/sign-out') && !random.chance(0.1))) return
    const values = form.fields.map((field) => valueOf(field, known, random))
    if (form.fields.some(({ type }) => type === 'file') && random.chance(0.8))
      await watched.page.locator('input[type=file]').first().setInputFiles(random.pick(FILES))
    await andLoad(walker, () => watched.page.evaluate(`walk.submit(${index}, ${JSON.stringify(values)})`))
  },
}

const goBack: Action = {
  name: 'back',
  act: (walker) => andLoad(walker, () => walker.watched.page.evaluate('walk.back()')),
}

const loadAgain: Action = {
  name: 'reload',
  act: (walker) => andLoad(walker, () => walker.watched.page.reload()),
}

/** Actions of a person; the frequency of each is its number of entries. */
export const ACTIONS: readonly Action[] = [
  ...Array<Action>(5).fill(followLink),
  ...Array<Action>(4).fill(sendForm),
  goBack,
  loadAgain,
]
