import type { Answer, Asked } from './api-client.ts'

/** Who hears how the tour goes. */
export type Narrator = {
  step: (title: string) => void
  exchange: (asked: Asked, answer: Answer) => void
  say: (line: string) => void
}
