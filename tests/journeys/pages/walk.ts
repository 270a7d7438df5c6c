import { eventually } from '@causeway/chassis/testing'
import { isDeepStrictEqual } from 'node:util'
import { startListener, type Listener } from './listener.ts'
import { blocksOf, lasting, type Block } from './page.ts'
import { openShell } from './shell.ts'

/** Longer than a slow machine needs: reached only when a page is wrong. */
const EVENT_WITHIN_MS = 120_000

type Json = Record<string, unknown>
type ReaderOptions = Readonly<{
  baseUrl: string
  sandboxUrl: string
  operatorKey: string
  partner: Readonly<{ partnerId: string; clientId: string; clientSecret: string }>
}>

const isEvent = (json: Json): boolean => 'event_type' in json || 'event' in json

/** Checks whether a response matches the one on the page: the whole body, or some fields of `data` exactly. */
const shows = (shown: Json, answer: Json | undefined): boolean => {
  const [left, right] = [lasting(shown), lasting(answer)]
  if (isDeepStrictEqual(left, right)) return true
  const data = (right as Json | undefined)?.['data'] as Json | undefined
  const entries = Object.entries(left as Json)
  return (
    data !== undefined &&
    entries.length > 0 &&
    entries.every(([name, value]) => isDeepStrictEqual(value, data[name]))
  )
}

/** Follows pages as a reader would: runs their commands, starts their listeners, and compares the shown responses. */
export const createReader = (options: ReaderOptions) => {
  const { partner } = options
  const listeners: Listener[] = []
  let answers: Json[] = []
  const shell = openShell({
    BASE: options.baseUrl,
    SANDBOX: options.sandboxUrl,
    CLIENT_ID: partner.clientId,
    CLIENT_SECRET: partner.clientSecret,
    OPERATOR_KEY: options.operatorKey,
  })

  const listen = async (text: string) => {
    await shell.run(
      text
        .split('\n')
        .filter((line) => !line.includes('pnpm@12'))
        .join('\n'),
    )
    const args = text.includes('--merchant')
      ? ['--merchant', shell.variables['MERCHANT'] ?? '']
      : ['--partner', partner.partnerId]
    const keys = { OPERATOR_API_KEY: options.operatorKey }
    listeners.push(await startListener(['--base-url', options.baseUrl, ...args], keys))
  }

  const events = (): Json[] =>
    listeners.flatMap((listener) =>
      listener.lines().map((line) => {
        const [, json] = /^verified \S+ (\{.*\})$/.exec(line) ?? []
        if (json === undefined) throw new Error(`The listener printed: ${line}`)
        return JSON.parse(json) as Json
      }),
    )

  const compare = async ({ text, at }: Block) => {
    const shown = JSON.parse(text) as Json
    const name = shown['event_type'] ?? shown['event']
    const candidates = () =>
      isEvent(shown)
        ? events().filter((event) => (event['event_type'] ?? event['event']) === name)
        : answers.slice(-1)
    const isSaid = await eventually(() => candidates().some((answer) => shows(shown, answer)), {
      withinMs: EVENT_WITHIN_MS,
    }).catch(() => false)
    if (!isSaid)
      throw new Error(`${at} shows\n${text}but the platform says\n${JSON.stringify(candidates().at(-1))}`)
  }

  const follow = async (block: Block) => {
    if (block.language === 'json') await compare(block)
    else if (/pnpm@12 listen/.test(block.text)) await listen(block.text)
    else if (!block.text.includes('pnpm@12')) {
      const said = await shell.run(block.text).catch((error: unknown) => {
        throw new Error(`${block.at}: ${error instanceof Error ? error.message : String(error)}`)
      })
      if (said.length > 0) answers = said
    }
  }

  return {
    /** @returns how many blocks were run. @throws where the page and the platform differ */
    read: async (path: string): Promise<number> => {
      const blocks = blocksOf(path)
      for (const block of blocks) await follow(block)
      return blocks.length
    },
    end: () => listeners.forEach((listener) => listener.kill()),
  }
}
