import { newId, type Logger } from '@causeway/chassis'
import { paymentScreens, type Answer, type Screen } from '@causeway/screens'
import { SCREEN_FILES } from '@causeway/screens/design'
import { send, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { PublicRoute } from '../http/public-path.ts'
import { parameterNames } from '../http/route.ts'
import { SCREEN_SECURITY } from '../http/security-headers.ts'
import { createStaticDocument } from '../http/static-document.ts'
import { publicAsk, type AskOptions } from './ask.ts'
import type { EventStreams } from './event-stream.ts'

export type ScreenRoutesOptions = AskOptions & Readonly<{ log: Logger; streams: EventStreams }>

/** Styles and scripts change with a release. */
const MAX_AGE_SECONDS = 300
const FILES = new Map(
  SCREEN_FILES.map(({ name, type, read }) => [
    name,
    createStaticDocument({ type, make: read, maxAgeSeconds: MAX_AGE_SECONDS }),
  ]),
)

const filesRoute: PublicRoute = {
  kind: 'public',
  method: 'GET',
  path: '/screens/:file',
  async handle(exchange, [name = '']) {
    const sendFile = FILES.get(name)
    if (sendFile === undefined) sendError(exchange, 'resource_not_found')
    else await sendFile(exchange)
  },
}

const sendAnswer = (exchange: Exchange, answer: Answer, streams: EventStreams): void => {
  switch (answer.kind) {
    case 'stream': {
      streams.open(exchange, answer.run)
      return
    }
    case 'error': {
      sendError(exchange, answer.code)
      return
    }
    case 'redirect': {
      send(exchange, {
        status: 303,
        type: 'text/plain; charset=utf-8',
        bytes: '',
        headers: ['Location', answer.to, 'Cache-Control', 'no-store'],
      })
      return
    }
    case 'page': {
      send(exchange, {
        status: answer.status,
        type: 'text/html; charset=utf-8',
        bytes: answer.html.toString(),
        security: SCREEN_SECURITY,
      })
      return
    }
  }
}

const toRoute = (options: ScreenRoutesOptions, screen: Screen): PublicRoute => {
  const { method, path } = screen
  const names = parameterNames(path)
  return {
    kind: 'public',
    method,
    path,
    showsPages: true,
    async handle(exchange, values) {
      const answer = await screen.answer({
        ask: publicAsk(options, exchange.requestId, method === 'GET'),
        params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])),
        lastEventId: exchange.request.headers['last-event-id']?.toString() ?? null,
      })
      sendAnswer(exchange, answer, options.streams)
    },
  }
}

/** Every screen, and the files that they load (ADR 0066). They are for people: the API's documents do not list them. */
export const screenRoutes = (options: ScreenRoutesOptions): PublicRoute[] => {
  const { clock, log } = options
  const screens = paymentScreens({
    // Each call of the watch has an id of its own: it belongs to many requests.
    ask: (operation, input) => publicAsk(options, newId('request'), true)(operation, input),
    now: () => clock.now(),
    onFailure: (error) =>
      log.warn(
        { event: 'screens.read_failed', error },
        'A read for open payment pages failed and is repeated',
      ),
  })
  return [filesRoute, ...screens.map((screen) => toRoute(options, screen))]
}
