import { describe, expect, test } from '@jest/globals'
import type { OnrampNotice } from '../src/onramps.ts'
import type { Notice } from './card-fixture.ts'
import { onrampRequest, type OnrampFixture } from './onramp-fixture.ts'

/** Ends what hangs, and measures nothing. */
const PATIENCE_MS = 120_000
const POLL_MS = 20

/** Notices of a provider, and which of their content the adapter trusts. */
export const describeOnrampNotices = (current: () => OnrampFixture): void => {
  describe('notices', () => {
    const verify = (notice: Notice, at: Date = new Date()) =>
      current().provider.verifyNotice(notice.headers, notice.body, at)

    const noticeOf = async (providerOrderId: string): Promise<{ post: Notice; notice: OnrampNotice }> => {
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        for (const post of current().notices()) {
          const verdict = verify(post)
          if (verdict.ok && verdict.notice?.providerOrderId === providerOrderId)
            return { post, notice: verdict.notice }
        }
        if (performance.now() > until) throw new Error(`no notice of ${providerOrderId} came`)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    }
    const noticed = async () => {
      const request = onrampRequest(current().noticeUrl)
      const order = await current().provider.createOrder(request)
      await current().say(request.onrampOrderId, 'complete', '0xabc')
      return { request, order, ...(await noticeOf(order.providerOrderId)) }
    }

    test('contain the order, or only which order to read', async () => {
      const { request, order, notice } = await noticed()
      expect(notice.providerOrderId).toBe(order.providerOrderId)
      if (!current().tellsOrders) expect(notice.order).toBeNull()
      else
        expect(notice.order).toMatchObject({
          onrampOrderId: request.onrampOrderId,
          status: 'complete',
          transactionHash: '0xabc',
        })
    })

    test('are verified with the same result each time', async () => {
      const { post, notice } = await noticed()
      expect(verify(post)).toEqual({ ok: true, notice })
    })

    test('are refused as forgeries when changed, unsigned or signed differently', async () => {
      const { post } = await noticed()
      const header = current().signatureHeader
      const signature = post.headers[header] ?? ''
      const changed = Buffer.from(post.body)
      changed[changed.length - 2] = (changed.at(-2) ?? 0) ^ 1
      const forged = signature.replace(/[0-9a-f]{64}/, (hex) => hex.replace(/^./, hex[0] === '0' ? '1' : '0'))
      expect(forged).not.toBe(signature)
      for (const notice of [
        { headers: post.headers, body: changed },
        { headers: post.headers, body: Buffer.alloc(0) },
        { headers: {}, body: post.body },
        ...['', 'nonsense', forged, `${signature} `, signature.slice(0, -1)].map((given) => ({
          headers: { [header]: given },
          body: post.body,
        })),
      ])
        expect(verify(notice)).toEqual({ ok: false, reason: 'bad_signature' })
    })

    test.each([-301, 302])('are stale when their time is %d seconds from now', (seconds) => {
      const notice = current().sign('{}')
      const at = new Date(Date.now() - seconds * 1_000)
      expect(verify(notice, at)).toEqual({ ok: false, reason: 'stale' })
    })

    test.each([-280, 280])('are accepted when their time is %d seconds from now', async (seconds) => {
      const { post, notice } = await noticed()
      expect(verify(post, new Date(Date.now() - seconds * 1_000))).toEqual({ ok: true, notice })
    })

    test.each(['null', '[]', 'not json', '"text"', '17', '{'])(
      'are malformed over %j, even with a genuine signature',
      (body) => {
        expect(verify(current().sign(body))).toEqual({ ok: false, reason: 'malformed' })
      },
    )
  })
}
