import type { Answer, Asked } from '@causeway/dev-env/platform/raw-client'

const LONGEST_TEXT = 96

/** Truncates long texts, such as inline images and tokens, to 96 characters. */
const truncateLongTexts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value

/** Prints each step, request and answer of a demo. */
export const consoleReporter = {
  step: (title: string) => console.log(`\n# ${title}`),
  exchange: ({ method, path, body }: Asked, answer: Answer) => {
    console.log(
      `\n${method} ${path}${body === undefined ? '' : `\n${JSON.stringify(body, truncateLongTexts)}`}`,
    )
    console.log(`→ ${answer.status} ${JSON.stringify(answer.body, truncateLongTexts, 2)}`)
  },
  log: (line: string) => console.log(`\n← ${line}`),
}
