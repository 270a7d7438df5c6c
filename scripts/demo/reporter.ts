import type { Answer, Asked } from '../platform/raw-client.ts'

/** Receives the progress of the tour. */
export type Reporter = {
  step: (title: string) => void
  exchange: (asked: Asked, answer: Answer) => void
  log: (line: string) => void
}
