import { z } from 'zod'
import type { Answer } from './request-client.ts'

/** JetStream's answer to a published message: its sequence, or why it was not stored. */
const Acknowledgement = z.union([
  z.object({ seq: z.number().int().positive() }),
  z.object({ error: z.object({ description: z.string() }) }),
])
const decoder = new TextDecoder()

/** The sequence under which the stream stored a message. @throws when it was not stored, or when that is unknown */
export const sequenceOf = (answer: Answer): number => {
  if (answer === 'nobody') throw new Error('No stream stores this event')
  if (answer === 'lost') throw new Error('The stream did not acknowledge an event in time')
  const acknowledgement = Acknowledgement.parse(JSON.parse(decoder.decode(answer)))
  if ('error' in acknowledgement)
    throw new Error(`The stream refused an event: ${acknowledgement.error.description}`)
  return acknowledgement.seq
}
