import { expect, test } from '@jest/globals'
import { checkNode } from './lifecycle.ts'

test.each(['24.0.0', '24.21.0', '100.1.0'])('starts on Node %s', (version) => {
  expect(() => checkNode(version)).not.toThrow()
})

test.each(['23.11.1', '22.23.3', '9.0.0'])('names the required version on Node %s', (version) => {
  expect(() => checkNode(version)).toThrow(`Node 24 or newer is required; this is ${version}`)
})
