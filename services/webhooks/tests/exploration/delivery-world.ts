import { answered, type Reaction, type Request, type SystemState } from '@causeway/chassis/exploration'

/** The receiver and the stream, as they are outside of the service. */
export type DeliveryWorld = Readonly<{
  hasReceived: boolean
  /** True if the receiver refused permanently. */
  hasRefused: boolean
  isAcknowledged: boolean
  /** When the stream has given the event to a replica, in ticks; it gives it again after a tick. */
  givenAt: number
  ticks: number
}>
export type DeliveryState = SystemState<DeliveryWorld>

/** How the receiver answers a delivery; the stream takes every acknowledgement. */
export const reactions = ({ to }: Request, { world }: DeliveryState): readonly Reaction<DeliveryWorld>[] => {
  if (to === 'bus')
    return [
      {
        name: 'the stream takes the acknowledgement',
        world: { ...world, isAcknowledged: true },
        answer: answered(null),
      },
    ]
  const received = { ...world, hasReceived: true }
  const at = (name: string, next: DeliveryWorld, statusCode: number | null, isFault = false) => ({
    name: `the receiver ${name}`,
    world: next,
    answer: answered(statusCode),
    isFault,
  })
  return [
    at('answers 200', received, 200),
    at('answers 503', world, 503),
    at('answers 410', { ...world, hasRefused: true }, 410),
    at('has it, its answer is lost', received, null, true),
  ]
}
