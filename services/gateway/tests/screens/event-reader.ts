import { request } from 'undici'

type Message = Readonly<{ event: string; id: string | undefined; data: string }>

const parse = (block: string): Message => {
  const valuesOf = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
  return { event: valuesOf('event')[0] ?? '', id: valuesOf('id')[0], data: valuesOf('data').join('\n') }
}

/** Reads a stream of server-sent events as a browser does, without asking again. */
export const readEvents = async (url: string, lastEventId?: string) => {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const { statusCode, headers: answered, body } = await request(url, { headers })
  const messages: Message[] = []
  const ended = (async () => {
    let text = ''
    for await (const chunk of body) {
      text += String(chunk)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      messages.push(...blocks.map(parse).filter(({ event }) => event !== ''))
    }
  })()
  return {
    status: statusCode,
    headers: answered,
    messages,
    ended,
    /** Hangs up. */
    async close() {
      body.destroy()
      await ended.catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'AbortError')) throw error
      })
    },
  }
}
