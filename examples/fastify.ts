import Fastify from 'fastify'
import { VerificationError, verifyPartnerEvent } from '@causeway/webhook-verifier'
import { createShop, type Application, type Settings } from './shop.ts'

export const createApp = (settings: Settings) => {
  const shop = createShop(settings)
  const app = Fastify()
  app.post<{ Body: Application }>('/merchants', ({ body }) => shop.signUp(body))
  app.post<{ Params: { id: string }; Body: { invoice: string; euros: number } }>(
    '/merchants/:id/invoices',
    ({ params, body }) => shop.sell(params.id, body.invoice, body.euros),
  )
  app.get<{ Params: { id: string } }>('/orders/:id', ({ params }) => ({ paid: shop.isPaid(params.id) }))
  // A separate context, whose parser keeps the received bytes: the signature covers them.
  void app.register(async (hooks) => {
    hooks.removeContentTypeParser('application/json')
    hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    hooks.post('/hooks', async (request, reply) => {
      await shop.take(
        await verifyPartnerEvent(request.body as Buffer, request.headers, settings.webhookSecret),
      )
      return reply.code(200).send()
    })
  })
  app.setErrorHandler((error, _request, reply) => {
    console.error(error)
    return reply.code(error instanceof VerificationError ? error.statusCode : 500).send()
  })
  return app
}
