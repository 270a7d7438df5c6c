import express from 'express'
import { VerificationError, verifyMerchantEvent, type MerchantEvent } from '@causeway/webhook-verifier'

export const createReceiver = (secret: string, take: (event: MerchantEvent) => Promise<void>) => {
  const app = express()
  // Before any express.json(): the signature is over the bytes as they came.
  app.post('/service/webhook', express.raw({ type: 'application/json' }), (request, response) => {
    void verifyMerchantEvent(request.body as Buffer, request.headers, secret)
      .then(take)
      .then(() => response.sendStatus(200))
      .catch((error: unknown) => {
        console.error(error)
        response.sendStatus(error instanceof VerificationError ? error.statusCode : 500)
      })
  })
  return app
}
