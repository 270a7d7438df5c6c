import type { Answer, Asked } from '@causeway/dev-env/platform/raw-client'

/** Receives the progress of the tour. */
export type Reporter = {
  step: (title: string) => void
  exchange: (asked: Asked, answer: Answer) => void
  log: (line: string) => void
}
