import { expect, test } from '@jest/globals'
import { describeError } from './log.ts'

test('logs the causes of an error, and ends with the fifth', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    row: 'ada@example.com',
  })
  expect(describeError(new Error('The job failed', { cause: refused }))).toEqual({
    name: 'Error',
    message: 'The job failed',
    code: undefined,
    stack: expect.any(String),
    cause: {
      name: 'Error',
      message: 'connect ECONNREFUSED',
      code: 'ECONNREFUSED',
      stack: expect.any(String),
    },
  })
  const circular = new Error('circular')
  circular.cause = circular
  expect(JSON.stringify(describeError(circular)).match(/"message"/g)).toHaveLength(6)
})
