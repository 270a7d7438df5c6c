import Fastify from 'fastify'
import { VerificationError, verifyPartnerEvent, type PartnerEvent } from '@causeway/webhook-verifier'

export const createReceiver = (secret: string, take: (event: PartnerEvent) => Promise<void>) => {
  const app = Fastify()
  // In place of fastify's own parser: the signature is over the bytes as they came.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/hooks', async (request, reply) => {
    await take(await verifyPartnerEvent(request.body as Buffer, request.headers, secret))
    return reply.code(200).send()
  })
  app.setErrorHandler((error, _request, reply) => {
    console.error(error)
    return reply.code(error instanceof VerificationError ? error.statusCode : 500).send()
  })
  return app
}
