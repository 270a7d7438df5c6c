import { FILES_PATH, SCREEN_FILES, SCREEN_POLICY, showcase } from '@causeway/screens/design'
import { type RequestHandler, Router } from 'express'

const POLICY = Object.entries(SCREEN_POLICY)
  .map(([name, values]) => [name, ...values].join(' '))
  .join('; ')

/** The headers that the gateway gives its screens, for the sandbox's own. */
export const screenHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  next()
}

/** Styles and scripts of the screens, and the page that shows all of the design. */
export const designRoutes = (): Router => {
  const routes = Router()
  for (const { name, type, read } of SCREEN_FILES)
    routes.get(`${FILES_PATH}/${name}`, async (_request, response) => {
      response
        .type(type)
        .set('x-content-type-options', 'nosniff')
        .send(await read())
    })
  routes.get('/design', screenHeaders, (_request, response) => {
    response.type('html').send(showcase().toString())
  })
  return routes
}
