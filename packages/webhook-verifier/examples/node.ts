import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { VerificationError, verifyPartnerEvent, type PartnerEvent } from '@causeway/webhook-verifier'

export const createReceiver = (secret: string, take: (event: PartnerEvent) => Promise<void>) =>
  createServer((request, response) => {
    void buffer(request)
      .then((rawBody) => verifyPartnerEvent(rawBody, request.headers, secret))
      .then(take)
      .then(() => response.writeHead(200).end())
      .catch((error: unknown) => {
        console.error(error)
        response.writeHead(error instanceof VerificationError ? error.statusCode : 500).end()
      })
  })
