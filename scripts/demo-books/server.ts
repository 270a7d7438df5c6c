import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FILES_PATH, SCREEN_FILES } from '@causeway/screens/design'
import express from 'express'

export type BooksServer = Readonly<{ url: string; stop: () => Promise<void> }>

type Pages = Readonly<{
  page: () => string
  /** Returns false if no disturbance has this name. */
  disturb: (name: string) => Promise<boolean>
  end: () => void
}>

/** Serves the page of the demo on loopback. @param port 0 for a free one */
export const startBooksServer = async (pages: Pages, port: number): Promise<BooksServer> => {
  const app = express().disable('x-powered-by')
  app.get('/', (_request, response) => void response.type('html').send(pages.page()))
  for (const { name, type, read } of SCREEN_FILES)
    app.get(
      `${FILES_PATH}/${name}`,
      async (_request, response) => void response.type(type).send(await read()),
    )
  app.post('/disturbances/:name', async (request, response) => {
    if (await pages.disturb(request.params.name)) response.redirect(303, '/')
    else response.status(404).type('text').send('No such disturbance: use a button of the page.\n')
  })
  app.post('/end', (_request, response) => {
    pages.end()
    response.redirect(303, '/')
  })
  const server = createServer(app).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
