import type { CardProcessor, CardProcessors } from '@causeway/rails'

/** Where a processor posts its notices. */
export const noticeUrlOf = (publicBaseUrl: string, processor: string): string =>
  `${publicBaseUrl}/api/callbacks/cards/${processor}`

/** @throws when an order names a processor with which this deployment has no account any more */
export const processorOf = (processors: CardProcessors, key: string): CardProcessor => {
  const processor = processors.get(key)
  if (!processor) throw new Error(`No card processor ${key} is configured`)
  return processor
}

/** What events and replies tell of an order's processor. */
export const describeProcessor = (processors: CardProcessors, publicBaseUrl: string, key: string) => {
  const { pspLabel, projectId } = processorOf(processors, key).traits
  return { psp: pspLabel, projectId, noticeUrl: noticeUrlOf(publicBaseUrl, key) }
}
