import express from 'express'
import { VerificationError, verifyPartnerEvent } from '@causeway/webhook-verifier'
import { createShop, type Application, type Settings } from './shop.ts'

export const createApp = (settings: Settings) => {
  const shop = createShop(settings)
  const app = express()
  // Before express.json(): the signature is over the bytes as they came.
  app.post('/hooks', express.raw({ type: 'application/json' }), async (request, response) => {
    await shop.take(await verifyPartnerEvent(request.body as Buffer, request.headers, settings.webhookSecret))
    response.sendStatus(200)
  })
  app.use(express.json())
  app.post('/merchants', async (request, response) => {
    response.json(await shop.signUp(request.body as Application))
  })
  app.post('/merchants/:id/invoices', async (request, response) => {
    const { invoice, euros } = request.body as { invoice: string; euros: number }
    response.json(await shop.sell(request.params.id, invoice, euros))
  })
  app.get('/orders/:id', (request, response) => {
    response.json({ paid: shop.isPaid(request.params.id) })
  })
  app.use(
    (error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      console.error(error)
      response.sendStatus(error instanceof VerificationError ? error.statusCode : 500)
    },
  )
  return app
}
