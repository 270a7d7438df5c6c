import { cardProcessorOf, type CardProcessors } from '@causeway/rails/cards'

/** Address to which a processor posts its notices. */
export const noticeUrlOf = (publicBaseUrl: string, processor: string): string =>
  `${publicBaseUrl}/api/callbacks/cards/${processor}`

/** The processor as events and replies show it. */
export const describeProcessor = (processors: CardProcessors, publicBaseUrl: string, key: string) => {
  const { pspLabel, projectId } = cardProcessorOf(processors, key).traits
  return { psp: pspLabel, projectId, noticeUrl: noticeUrlOf(publicBaseUrl, key) }
}
