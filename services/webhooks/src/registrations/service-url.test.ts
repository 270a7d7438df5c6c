import { describe, expect, test } from '@jest/globals'
import { toServiceUrl } from './service-url.ts'

describe('the suffix /service/webhook', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/service/webhook'],
    ['https://shop.example/', 'https://shop.example/service/webhook'],
    ['https://shop.example//', 'https://shop.example/service/webhook'],
    ['https://shop.example/hooks', 'https://shop.example/hooks/service/webhook'],
    ['https://shop.example/hooks///', 'https://shop.example/hooks/service/webhook'],
    ['https://shop.example/service/webhook', 'https://shop.example/service/webhook'],
    ['https://shop.example/service/webhook/', 'https://shop.example/service/webhook'],
    ['https://shop.example/a/service/webhook', 'https://shop.example/a/service/webhook'],
    ['https://shop.example/service', 'https://shop.example/service/service/webhook'],
    ['https://shop.example/xservice/webhook', 'https://shop.example/xservice/webhook/service/webhook'],
    ['https://shop.example/service/webhooks', 'https://shop.example/service/webhooks/service/webhook'],
    ['https://shop.example/Service/Webhook', 'https://shop.example/Service/Webhook/service/webhook'],
    ['https://shop.example/service%2Fwebhook', 'https://shop.example/service%2Fwebhook/service/webhook'],
    [
      'https://shop.example/service/webhook/service/webhook',
      'https://shop.example/service/webhook/service/webhook',
    ],
  ])('is applied to %s', (typed, stored) => {
    expect(toServiceUrl(typed)).toBe(stored)
  })

  test.each([
    ['https://shop.example/a/../service/webhook', 'https://shop.example/service/webhook'],
    ['https://shop.example/service/webhook/..', 'https://shop.example/service/service/webhook'],
    ['https://shop.example/service/webhook/.', 'https://shop.example/service/webhook'],
    ['https://shop.example/service/%2e/webhook', 'https://shop.example/service/webhook'],
    ['https://shop.example\\service\\webhook', 'https://shop.example/service/webhook'],
    ['HTTPS://Shop.Example:443/service/webhook', 'https://shop.example/service/webhook'],
  ])('is appended after the spelling %s is resolved', (typed, stored) => {
    expect(toServiceUrl(typed)).toBe(stored)
  })

  test.each([
    ['https://shop.example?shop=1', 'https://shop.example/service/webhook?shop=1'],
    ['https://shop.example/service/webhook?shop=1', 'https://shop.example/service/webhook?shop=1'],
    ['https://shop.example/?to=/service/webhook', 'https://shop.example/service/webhook?to=/service/webhook'],
    ['https://shop.example/#/service/webhook', 'https://shop.example/service/webhook'],
    ['https://shop.example/service/webhook#top', 'https://shop.example/service/webhook'],
  ])(
    'is appended for any query and fragment of %s: the query stays, the fragment is removed',
    (typed, stored) => {
      expect(toServiceUrl(typed)).toBe(stored)
    },
  )
})

test('leaves a URL in its stored form unchanged', () => {
  for (const typed of ['https://shop.example', 'https://shop.example/a/?b=%20c#d']) {
    const stored = toServiceUrl(typed)
    expect(toServiceUrl(stored)).toBe(stored)
  }
})

test('leaves a text that is not a URL unchanged', () => {
  expect(toServiceUrl('nowhere')).toBe('nowhere')
})
