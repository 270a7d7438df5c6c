import { z } from 'zod'
import type { Answer } from './request-client.ts'

/** What JetStream answers to a published message: where it is kept, or why it is not. */
const Acknowledgement = z.union([
  z.object({ seq: z.number().int().positive() }),
  z.object({ error: z.object({ description: z.string() }) }),
])
const decoder = new TextDecoder()

/** The sequence at which the stream keeps a message. @throws when it does not, or when nobody knows */
export const sequenceOf = (answer: Answer): number => {
  if (answer === 'nobody') throw new Error('No stream takes this event')
  if (answer === 'lost') throw new Error('The stream did not acknowledge an event in time')
  const acknowledgement = Acknowledgement.parse(JSON.parse(decoder.decode(answer)))
  if ('error' in acknowledgement)
    throw new Error(`The stream refused an event: ${acknowledgement.error.description}`)
  return acknowledgement.seq
}
